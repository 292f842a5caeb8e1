// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import java.util.List;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.LeafId;
import io.leaf.support.ExistingIds;

import org.springframework.core.Ordered;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;

/**
 * Gives the entities of an aggregate that Spring Data JDBC saves the IDs that
 * {@link LeafId} asks for. Spring Data has decided before whether the aggregate is new,
 * so a new one is inserted although its ID is set by then.
 * <p>
 * Without an order of their own, callbacks of the application run later and see the ID.
 * Safe for use by any number of threads.
 */
public final class LeafIdCallback implements BeforeConvertCallback<Object>, Ordered {

	static final int ORDER = Ordered.LOWEST_PRECEDENCE - 10;

	private final EntityIds ids;

	private final Supplier<NamedParameterJdbcOperations> database;

	private final Supplier<? extends Dialect> dialect;

	/**
	 * Creates a callback.
	 * @param contexts know the entities that are saved; usually one
	 * @param generator issues the IDs; asked when the first of them is needed
	 * @param database reads the largest ID of a table whose key is to be added
	 * @param dialect writes the names for it
	 */
	public LeafIdCallback(List<? extends RelationalMappingContext> contexts, Supplier<IdGenerator> generator,
			Supplier<NamedParameterJdbcOperations> database, Supplier<? extends Dialect> dialect) {
		this.ids = new EntityIds(contexts, generator);
		this.database = database;
		this.dialect = dialect;
	}

	/**
	 * Gives an ID to every entity of the aggregate that is marked with {@link LeafId} and
	 * has none.
	 * @param aggregate the aggregate's root
	 * @return the same instance, or a copy if it or something in it is immutable
	 * @throws IdGenerationException if no ID can be issued at present
	 */
	@Override
	public Object onBeforeConvert(Object aggregate) {
		return new AggregateIds(this.ids, this::reportExistingIds).withIds(aggregate);
	}

	private void reportExistingIds(RelationalPersistentEntity<?> entity) {
		ExistingIds existing = this.ids.neededIds(entity,
				(name) -> name.toSql(this.dialect.get().getIdentifierProcessing()));
		if (existing != null) {
			this.ids.report(existing,
					(query) -> this.database.get().getJdbcOperations().queryForObject(query, String.class));
		}
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

}
