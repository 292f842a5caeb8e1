// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.leaf.IdGenerator;
import io.leaf.LeafId;
import io.leaf.support.ExistingIds;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.core.Ordered;
import org.springframework.data.r2dbc.core.R2dbcEntityOperations;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.sql.SqlIdentifier;

/**
 * Assigns the ID that {@link LeafId} requests to an entity that Spring Data R2DBC saves.
 * Spring Data has already determined whether the entity is new, so a new one is inserted
 * although its ID is then set.
 * <p>
 * The ID is issued on {@link Schedulers#boundedElastic()}: a call may wait for the
 * acquire timeout, and an event loop must not wait. It is not known beforehand which call
 * has to wait, and compared with a round trip to the database the change of threads costs
 * little.
 * <p>
 * The application's callbacks, unless they are ordered, run later and see the ID. Safe
 * for use by any number of threads.
 */
public final class ReactiveLeafIdCallback implements BeforeConvertCallback<Object>, Ordered {

	private final EntityIds ids;

	private final Supplier<R2dbcEntityOperations> database;

	/**
	 * Creates a callback.
	 * @param contexts the mapping contexts of the saved entities; usually one
	 * @param generator issues the IDs; obtained when the first ID is needed
	 * @param database reads the largest ID of a table before the row of its key is added
	 */
	public ReactiveLeafIdCallback(List<? extends RelationalMappingContext> contexts, Supplier<IdGenerator> generator,
			Supplier<R2dbcEntityOperations> database) {
		this.ids = new EntityIds(contexts, generator);
		this.database = database;
	}

	/**
	 * Assigns an ID to an entity that is marked with {@link LeafId} and has no ID.
	 * @param entity the entity
	 * @param table the table that it is saved to
	 * @return the same instance, or a copy if it is immutable; an
	 * {@link io.leaf.IdGenerationException} if no ID can be issued at the moment
	 */
	@Override
	public Mono<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
		return Mono.defer(() -> {
			RelationalPersistentEntity<?> metadata = this.ids.entity(entity);
			if (metadata == null || !this.ids.lacksId(metadata, entity)) {
				return Mono.just(entity);
			}
			Mono<Object> draw = Mono.fromCallable(() -> this.ids.withId(metadata, entity));
			return Mono.defer(() -> {
				ExistingIds existing = this.ids.neededIds(metadata, this::sql);
				return (existing != null) ? report(existing).then(draw.subscribeOn(Schedulers.boundedElastic())) : draw;
			}).subscribeOn(Schedulers.boundedElastic());
		});
	}

	@SuppressWarnings("deprecation") // the only one that Spring Data 3.5 and 4 share
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
