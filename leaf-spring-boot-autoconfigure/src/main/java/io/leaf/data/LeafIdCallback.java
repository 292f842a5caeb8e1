// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.LeafId;
import io.leaf.support.ExistingIds;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;
import org.springframework.data.relational.core.conversion.DbAction;
import org.springframework.data.relational.core.conversion.MutableAggregateChange;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.mapping.event.BeforeSaveCallback;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;

/**
 * Assigns values to the properties that are marked with {@link LeafId} when Spring Data
 * JDBC saves an aggregate. Spring Data determines whether an aggregate is new before it
 * calls this callback. A new aggregate is therefore still inserted after the callback has
 * set its ID.
 * <p>
 * Callbacks of the application that have no order run later and see the ID. Safe for use
 * by any number of threads.
 */
public final class LeafIdCallback
		implements BeforeConvertCallback<Object>, BeforeSaveCallback<Object>, Ordered, SmartInitializingSingleton {

	static final int ORDER = Ordered.LOWEST_PRECEDENCE - 10;

	private final EntityIds ids;

	private final Supplier<NamedParameterJdbcOperations> database;

	private final Supplier<? extends Dialect> dialect;

	/**
	 * Creates a callback.
	 * @param contexts the mapping contexts of the saved entities; usually one
	 * @param generator supplies the generator of the IDs. Not called before the first ID
	 * is needed
	 * @param database supplies the operations that read the largest ID from an entity's
	 * table. Leaf reads this ID before it adds the key of the entity to Leaf's table
	 * @param dialect quotes the names in the query for the largest ID
	 */
	public LeafIdCallback(List<? extends RelationalMappingContext> contexts, Supplier<IdGenerator> generator,
			Supplier<NamedParameterJdbcOperations> database, Supplier<? extends Dialect> dialect) {
		this.ids = new EntityIds(contexts, generator);
		this.database = database;
		this.dialect = dialect;
	}

	/**
	 * Checks the entities that Spring Data knows at startup.
	 * @throws IdGenerationException if a property that is marked with {@link LeafId}
	 * cannot get a value
	 */
	@Override
	public void afterSingletonsInstantiated() {
		this.ids.check();
	}

	/**
	 * Assigns a value to every property of the aggregate that is marked with
	 * {@link LeafId} and has no value. If the root is not new, no property of the root
	 * except the ID gets a value; the entities below the root get all values.
	 * @param aggregate the aggregate's root
	 * @return the root, or a copy of it if it had to be changed but is immutable
	 * @throws IdGenerationException if no ID can be issued at the moment
	 */
	@Override
	public Object onBeforeConvert(Object aggregate) {
		RelationalPersistentEntity<?> entity = this.ids.entity(aggregate);
		return withIds(aggregate, entity != null && entity.isNew(aggregate));
	}

	/**
	 * Assigns the missing values of a root that is inserted although it already had an
	 * ID, for example by {@code JdbcAggregateTemplate.insert}.
	 * @param aggregate the aggregate's root
	 * @param change the statements that save the aggregate
	 * @return the root, or a copy of it if it had to be changed but is immutable
	 * @throws IdGenerationException if no ID can be issued at the moment
	 */
	@Override
	public Object onBeforeSave(Object aggregate, MutableAggregateChange<Object> change) {
		AtomicBoolean inserted = new AtomicBoolean();
		change.forEachAction((action) -> {
			if (action instanceof DbAction.InsertRoot<?>) {
				inserted.set(true);
			}
		});
		return inserted.get() ? withIds(aggregate, true) : aggregate;
	}

	private Object withIds(Object aggregate, boolean inserted) {
		return new AggregateIds(this.ids, this::next).withIds(aggregate, inserted);
	}

	private Object next(LeafIdColumn column) {
		ExistingIds existing = this.ids.neededIds(column,
				(name) -> name.toSql(this.dialect.get().getIdentifierProcessing()));
		if (existing != null) {
			this.ids.report(existing,
					(query) -> this.database.get().getJdbcOperations().queryForObject(query, String.class));
		}
		return this.ids.next(column);
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

}
