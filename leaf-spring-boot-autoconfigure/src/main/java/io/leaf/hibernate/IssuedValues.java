// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.io.Serializable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.support.ExistingIds;
import io.leaf.support.LeafIdType;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Issues the values of one attribute. The {@link IdGenerator} bean is looked up when the
 * first value is requested, so building the {@code EntityManagerFactory} neither requires
 * nor creates the bean. Safe for use by any number of threads.
 */
final class IssuedValues implements Serializable {

	private static final long serialVersionUID = 1L;

	private final String key;

	private final LeafIdType type;

	/**
	 * Assigned without a lock. If several threads request the first value at the same
	 * time, each of them may assign a supplier of its own. All these suppliers use the
	 * same bean.
	 */
	private transient volatile @Nullable Supplier<Object> source;

	IssuedValues(String key, LeafIdType type) {
		this.key = key;
		this.type = type;
	}

	String key() {
		return this.key;
	}

	LeafIdType type() {
		return this.type;
	}

	/**
	 * Issues the next value.
	 * @param session the session that inserts the entity
	 * @param existing finds the table and the column of the attribute
	 * @return the value, of the type of the attribute
	 * @throws IdGenerationException if no value can be issued at the moment
	 */
	Object next(SharedSessionContractImplementor session, Supplier<ExistingIds> existing) {
		Supplier<Object> source = this.source;
		if (source == null) {
			IdGenerator generator = IdGeneratorBean.find(session, this.key);
			if (ExistingIds.areNeeded(generator, this.key)) {
				existing.get().report(generator, (query) -> text(session, query));
			}
			source = this.type.source(generator, this.key);
			this.source = source;
		}
		return source.get();
	}

	// runs the query for the largest existing value through JDBC. In Hibernate's query
	// language, it would flush the session, and would omit rows that are soft-deleted or
	// belong to another tenant
	private static @Nullable String text(SharedSessionContractImplementor session, String query) {
		return session.doReturningWork((connection) -> {
			try (PreparedStatement statement = connection.prepareStatement(query);
					ResultSet result = statement.executeQuery()) {
				return result.next() ? result.getString(1) : null;
			}
		});
	}

}
