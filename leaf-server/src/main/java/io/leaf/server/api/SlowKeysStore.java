// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreException;
import io.leaf.server.RequestTurns;

/**
 * The segment store of the server's generator and of its clients. Requests for a key take
 * {@link RequestTurns turns}, so that the row of a key that is locked in the database
 * does not stop other keys. Numbers are given back in the slow turn, because giving back
 * locks the rows of many keys. While locked rows occupy the slow turn, numbers are
 * therefore not given back.
 */
final class SlowKeysStore implements SegmentStore {

	private static final Duration CREATE_TIMEOUT = Duration.ofSeconds(5);

	private final SegmentStore store;

	private final RequestTurns turns;

	/**
	 * Creates a store.
	 * @param store the store that executes the requests
	 * @param turns gives each request its turn
	 */
	SlowKeysStore(SegmentStore store, RequestTurns turns) {
		this.store = store;
		this.turns = turns;
	}

	@Override
	public Allocation allocate(String key, long size, long floor, Duration timeout) {
		return run(key, timeout, (left) -> this.store.allocate(key, size, floor, left));
	}

	@Override
	public Allocation allocate(String key, long size, Window window, Duration timeout) {
		return run(key, timeout, (left) -> this.store.allocate(key, size, window, left));
	}

	@Override
	public Counter read(String key, Duration timeout) {
		return run(key, timeout, (left) -> this.store.read(key, left));
	}

	@Override
	public void create(String key, int step, long from) {
		run(key, CREATE_TIMEOUT, (left) -> {
			this.store.create(key, step, from);
			return true;
		});
	}

	private <T> T run(String key, Duration timeout, Function<Duration, T> request) {
		String rows = rows(key);
		return translated(() -> this.turns.run(rows, rows, timeout, request));
	}

	/**
	 * Returns the turn and the rows of requests for a key.
	 */
	static String rows(String key) {
		return "key '%s'".formatted(key);
	}

	@Override
	public Set<String> giveBack(List<Unissued> unissued) {
		return translated(() -> this.turns.runAsSlow(() -> this.store.giveBack(unissued)));
	}

	// the callers of a store expect its exceptions
	private static <T> T translated(Supplier<T> request) {
		try {
			return request.get();
		}
		catch (SegmentStoreException ex) {
			throw ex;
		}
		catch (IdGenerationException ex) {
			throw new SegmentStoreException(ex.getMessage(), null, false);
		}
	}

	@Override
	public void checkWritable() {
		this.store.checkWritable();
	}

	@Override
	public List<SegmentRow> findAll() {
		return this.store.findAll();
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		return this.store.find(keys);
	}

}
