// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStatus;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Counter;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.segment.SegmentStore.Window;
import io.leaf.server.ClientActivity;
import io.leaf.server.api.Clients.Client;
import io.leaf.server.api.RefusedException.Reason;

/**
 * Hands out ranges of numbers to applications with {@code leaf.segment.source=server},
 * which issue IDs from these ranges in memory. Each path of this servlet corresponds to a
 * method of {@link SegmentStore}. All requests use POST, so that no cache answers a
 * request and no proxy repeats one.
 * <p>
 * A request for a range of a key without a period states a floor, which is the end of the
 * highest range of the key that the requesting process has received. If enough numbers
 * are in the memory of this server and they are not below the floor, the range is taken
 * from memory. Otherwise, the range is allocated from the table. Without the floor, a
 * process that changes to this server could get smaller numbers than it got from another
 * server, and the process would wrongly conclude that the database went back to an
 * earlier state. Ranges of keys with periods or global ordering are always allocated from
 * the table.
 */
final class RangeServlet extends StoreServlet {

	private static final long serialVersionUID = 1L;

	/**
	 * The paths.
	 */
	static final String[] PATHS = { "/api/segment/allocate/*", "/api/segment/counter/*", "/api/segment/create/*",
			"/api/segment/rows", "/api/segment/give-back", "/api/segment/check" };

	private static final int MAX_STEP = 1_000_000_000;

	private final transient SegmentIdGenerator generator;

	private final transient SegmentStore store;

	private final transient RangeSettings settings;

	private final transient ClientActivity activity;

	/**
	 * Creates the servlet.
	 * @param generator the generator from whose memory ranges are taken
	 * @param store the store of the table
	 * @param settings the settings of this server for ranges and rows
	 * @param clients the clients
	 * @param activity records the ranges that are handed out
	 * @param memory the memory for large requests and responses
	 */
	RangeServlet(SegmentIdGenerator generator, SegmentStore store, RangeSettings settings, Clients clients,
			ClientActivity activity, BodyMemory memory) {
		super("/api/segment/", "rows", clients, memory);
		this.activity = activity;
		this.generator = generator;
		this.store = store;
		this.settings = settings;
	}

	@Override
	Map<String, Object> answer(String method, StoreRequest request, Client client) {
		return switch (method) {
			case "allocate" -> allocate(requireUsable(request.key(), client), request, client);
			case "counter" -> counter(requireUsable(request.key(), client), request);
			case "create" -> create(requireUsable(request.key(), client), request);
			case "rows" -> rows(request.keys(), client);
			case "give-back" -> giveBack(request.unissued(), client);
			default -> {
				this.store.checkWritable();
				yield Map.of();
			}
		};
	}

	private static String requireUsable(String key, Client client) {
		client.require(key);
		return key;
	}

	private Map<String, Object> allocate(String key, StoreRequest request, Client client) {
		long size = limited(key, request.number("size", 1, MAX_STEP, null), request.direct());
		Window window = request.window();
		Duration timeout = request.timeout();
		if (window == null) {
			requireNoPeriod(key);
			long floor = request.number("floor", 0, SegmentStore.MAX_END, 0L);
			Allocation taken = request.direct() ? null : this.generator.takeRange(key, size, floor);
			if (taken != null) {
				return json(key, taken, true, client);
			}
			requireRow(key);
			Allocation allocated = this.store.allocate(key, size, floor, timeout);
			if (allocated == null) {
				throw unknown(key);
			}
			return json(key, allocated, false, client);
		}
		requireRow(key);
		Allocation allocated = this.store.allocate(key, size, window, timeout);
		return (allocated != null) ? json(key, allocated, false, client) : Map.of();
	}

	private Map<String, Object> json(String key, Allocation allocation, boolean buffered, Client client) {
		this.activity.rangeTaken(client.name(), key, allocation.to() - allocation.from());
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("from", String.valueOf(allocation.from()));
		json.put("to", String.valueOf(allocation.to()));
		json.put("rowStep", String.valueOf(allocation.rowStep()));
		json.put("buffered", buffered);
		return json;
	}

	// Returns how many numbers to hand out. A request can ask for more numbers than the
	// server hands out at once, for example if the application has a larger max-step than
	// the server. The application then gets fewer numbers. But if the request has the
	// parameter 'direct', it is refused, because it serves waiting calls of a key with
	// global ordering, and these calls need all the numbers.
	private long limited(String key, long size, boolean direct) {
		long max = this.settings.maxStep();
		if (size <= max) {
			return size;
		}
		SegmentStatus status = this.generator.status(key);
		max = Math.max(max, (status != null) ? status.rowStep() : 0);
		if (size > max && direct) {
			throw new RefusedException(Reason.REFUSED,
					"%d numbers of key '%s' are too many at once, because the server hands out at most %d. Request fewer IDs in one call, or raise leaf.segment.max-step on the server"
						.formatted(size, key, max));
		}
		return Math.min(size, max);
	}

	private void requireNoPeriod(String key) {
		if (this.settings.hasPeriod().test(key)) {
			throw new RefusedException(Reason.REFUSED,
					"Key '%s' has a period on the server, but not in the application. Set leaf.keys.<key>.period, .period-zone and .digits to the same values in both"
						.formatted(key));
		}
	}

	/**
	 * Checks that there is a row for exactly this key. Some databases treat different
	 * keys as equal, for example keys that differ only in letter case. Such a database
	 * would use the row of another key, even if the client may not use that key.
	 * @throws RefusedException if there is no such row
	 */
	private void requireRow(String key) {
		if (existing(List.of(key)).isEmpty()) {
			throw unknown(key);
		}
	}

	private Set<String> existing(List<String> keys) {
		Set<String> existing = new HashSet<>(keys);
		List<String> unseen = keys.stream().filter((key) -> this.generator.status(key) == null).toList();
		if (!unseen.isEmpty()) {
			unseen.forEach(existing::remove);
			this.store.find(unseen).stream().map(SegmentRow::key).filter(unseen::contains).forEach(existing::add);
		}
		return existing;
	}

	private static RefusedException unknown(String key) {
		return new RefusedException(Reason.UNKNOWN_KEY, "There is no row for key '%s'".formatted(key));
	}

	private Map<String, Object> counter(String key, StoreRequest request) {
		requireRow(key);
		Counter counter = this.store.read(key, request.timeout());
		if (counter == null) {
			throw unknown(key);
		}
		return Map.of("next", String.valueOf(counter.next()), "time", counter.time().toString(), "gap",
				String.valueOf(counter.raises().gap()), "raises", String.valueOf(counter.raises().total()), "raisedAt",
				counter.raises().latest().stream().map(Instant::toString).toList());
	}

	private Map<String, Object> create(String key, StoreRequest request) {
		int step = (int) request.number("step", 1, MAX_STEP, null);
		long from = request.number("from", 1, SegmentStore.MAX_END, 1L);
		if (!this.settings.createsRow().test(key)) {
			throw new RefusedException(Reason.REFUSED,
					"The server does not add a row for key '%s'. Add the row to the table, or set leaf.segment.auto-create.enabled=true on the server and add a pattern that matches the key to leaf.segment.auto-create.keys"
						.formatted(key));
		}
		this.store.create(key, step, from);
		return Map.of();
	}

	private Map<String, Object> rows(List<String> keys, Client client) {
		if (!keys.isEmpty() && keys.stream().noneMatch(client::mayUse)) {
			// a client that may use none of the keys is refused, because an empty
			// response would mean that the keys have no rows
			client.require(keys.get(0));
		}
		Collection<SegmentRow> rows = keys.isEmpty() ? this.store.findAll() : this.store.find(keys);
		return Map.of("rows", rows.stream().filter((row) -> client.mayUse(row.key())).map(RangeServlet::json).toList());
	}

	// the key is URL-encoded, so that every JSON parser returns the same characters
	private static Map<String, Object> json(SegmentRow row) {
		return Map.of("key", encode(row.key()), "maxId", String.valueOf(row.maxId()), "step",
				String.valueOf(row.step()));
	}

	private static String encode(String key) {
		return URLEncoder.encode(key, StandardCharsets.UTF_8);
	}

	private Map<String, Object> giveBack(List<Unissued> unissued, Client client) {
		unissued.forEach((numbers) -> client.require(numbers.key()));
		Set<String> existing = existing(unissued.stream().map(Unissued::key).toList());
		List<Unissued> known = unissued.stream().filter((numbers) -> existing.contains(numbers.key())).toList();
		Set<String> givenBack = known.isEmpty() ? Set.of() : this.store.giveBack(known);
		return Map.of("keys", givenBack.stream().map(RangeServlet::encode).toList());
	}

	/**
	 * The settings of the server for ranges and rows.
	 *
	 * @param maxStep the {@code max-step} of the server. A range contains at most this
	 * many numbers or, if the step of the row is larger, at most as many as that step
	 * @param hasPeriod whether a key has a period
	 * @param createsRow whether a row may be added for a key
	 */
	record RangeSettings(long maxStep, Predicate<String> hasPeriod, Predicate<String> createsRow) {

	}

}
