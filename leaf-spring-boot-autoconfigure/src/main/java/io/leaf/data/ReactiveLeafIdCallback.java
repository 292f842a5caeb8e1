// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.leaf.IdGenerator;
import io.leaf.LeafId;
import io.leaf.support.ExistingIds;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.Ordered;
import org.springframework.data.r2dbc.core.R2dbcEntityOperations;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.sql.SqlIdentifier;

/**
 * Assigns values to the properties that are marked with {@link LeafId} when Spring Data
 * R2DBC saves an entity. Spring Data determines whether an entity is new before it calls
 * this callback. A new entity is therefore still inserted after the callback has set its
 * ID.
 * <p>
 * The calling thread, usually that of an event loop, does not wait for an ID. IDs for
 * properties of type {@code String} are requested on {@link Schedulers#boundedElastic()}.
 * The first ID is also requested on this scheduler, because this request creates the
 * generator if the beans of the application are initialized lazily.
 * <p>
 * Callbacks of the application that have no order run later and see the ID. Safe for use
 * by any number of threads.
 */
public final class ReactiveLeafIdCallback
		implements BeforeConvertCallback<Object>, Ordered, SmartInitializingSingleton {

	private final EntityIds ids;

	private final Supplier<IdGenerator> generator;

	private final Supplier<R2dbcEntityOperations> database;

	private volatile boolean created;

	/**
	 * Creates a callback.
	 * @param contexts the mapping contexts of the saved entities; usually one
	 * @param generator supplies the generator of the IDs. Not called before the first ID
	 * is needed
	 * @param database supplies the operations that read the largest ID from an entity's
	 * table. The ID is read before Leaf adds a row for the key of the entity
	 */
	public ReactiveLeafIdCallback(List<? extends RelationalMappingContext> contexts, Supplier<IdGenerator> generator,
			Supplier<R2dbcEntityOperations> database) {
		this.ids = new EntityIds(contexts, generator);
		this.generator = generator;
		this.database = database;
	}

	/**
	 * Checks the entities that are known at startup.
	 * @throws io.leaf.IdGenerationException if a property that is marked with
	 * {@link LeafId} cannot get a value
	 */
	@Override
	public void afterSingletonsInstantiated() {
		this.ids.check();
	}

	/**
	 * Assigns a value to every property of an entity that is marked with {@link LeafId}
	 * and has no value. If the entity is not new, no property except the ID gets a value.
	 * @param entity the entity
	 * @param table the table that the entity is saved to
	 * @return a publisher of the entity, or of a copy with the values if the entity is
	 * immutable. The publisher fails with an {@link io.leaf.IdGenerationException} if no
	 * ID can be issued at the moment
	 */
	@Override
	public Mono<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
		return Mono.defer(() -> {
			RelationalPersistentEntity<?> metadata = this.ids.entity(entity);
			if (metadata == null) {
				return Mono.just(entity);
			}
			boolean inserted = metadata.isNew(entity);
			List<LeafIdColumn> missing = missing(entity, metadata, metadata, inserted);
			if (missing.isEmpty()) {
				return Mono.just(entity);
			}
			Mono<Object> draw = Mono.defer(() -> draw(entity, inserted, missing));
			return this.created ? draw
					: Mono.fromRunnable(this::create).subscribeOn(Schedulers.boundedElastic()).then(draw);
		});
	}

	private void create() {
		this.generator.get();
		this.created = true;
	}

	private Mono<Object> draw(Object entity, boolean inserted, List<LeafIdColumn> missing) {
		List<ExistingIds> existing = missing.stream()
			.flatMap((column) -> Stream.ofNullable(this.ids.neededIds(column, this::sql)))
			.toList();
		return Flux.fromIterable(existing)
			.concatMap(this::report)
			.thenMany(Flux.fromIterable(missing).concatMap(this::next))
			.collectList()
			.map((values) -> withValues(entity, inserted, values.iterator()));
	}

	private Mono<Object> next(LeafIdColumn column) {
		return Mono.defer(() -> {
			CompletionStage<?> next = this.ids.nextAsync(column);
			return (next != null) ? Mono.<Object>fromCompletionStage(next)
					: Mono.fromCallable(() -> this.ids.next(column)).subscribeOn(Schedulers.boundedElastic());
		});
	}

	// the values are in the order in which AggregateIds asks for them, because missing()
	// returns the properties in this order
	private Object withValues(Object entity, boolean inserted, Iterator<Object> values) {
		return new AggregateIds(this.ids, (column) -> values.next()).withIds(entity, inserted);
	}

	private List<LeafIdColumn> missing(Object instance, RelationalPersistentEntity<?> entity,
			RelationalPersistentEntity<?> table, boolean inserted) {
		List<LeafIdColumn> missing = new ArrayList<>(this.ids.missing(instance, entity, table, inserted));
		for (RelationalPersistentProperty property : entity) {
			Object embedded = property.isEmbedded() ? entity.getPropertyAccessor(instance).getProperty(property) : null;
			if (embedded != null) {
				missing.addAll(missing(embedded, this.ids.embedded(property), table, inserted));
			}
		}
		return missing;
	}

	@SuppressWarnings("deprecation") // Spring Data 3.5 and 4 share no other such method
	private String sql(SqlIdentifier name) {
		return this.database.get().getDataAccessStrategy().toSql(name);
	}

	private Mono<Void> report(ExistingIds existing) {
		return this.database.get()
			.getDatabaseClient()
			.sql(existing.query())
			.fetch()
			.one()
			.map((row) -> Optional.ofNullable(row.values().iterator().next()).map(Object::toString))
			.onErrorMap(existing::unreadable)
			.doOnNext((largest) -> this.ids.report(existing, largest.orElse(null)))
			.then();
	}

	@Override
	public int getOrder() {
		return LeafIdCallback.ORDER;
	}

}
