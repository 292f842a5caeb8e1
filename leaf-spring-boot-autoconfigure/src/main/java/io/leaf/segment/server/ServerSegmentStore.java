// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.server;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.leaf.http.Answer;
import io.leaf.http.LeafServerException;
import io.leaf.http.LeafServers;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/**
 * Takes segments from Leaf servers. A segment comes from the memory of a server or from
 * the table of the server.
 * <p>
 * Each server holds different segments of a key in memory. If a process takes a segment
 * from one server and the next segment from another server, the second segment could have
 * smaller numbers, as if the table had gone back to an earlier state. Therefore a request
 * for a key without a period states the highest end of the segments of this key that this
 * process has received, and the server returns no numbers below that end.
 */
public final class ServerSegmentStore implements SegmentStore {

	private static final String PATH = "/api/segment/";

	/**
	 * How long a request for all rows may take. There may be a hundred thousand rows.
	 */
	private static final Duration READ_TIMEOUT = Duration.ofSeconds(20);

	/**
	 * How long a request may take if the method of {@link SegmentStore} has no timeout
	 * parameter. Short, because callers of the generator wait for the requests that look
	 * up the row of a key.
	 */
	private static final Duration TIMEOUT = Duration.ofSeconds(3);

	/**
	 * The longest timeout that servers accept as a parameter.
	 */
	private static final long MAX_TIMEOUT_MILLIS = 10_000;

	/**
	 * The largest number of keys in a request. Servers accept no more.
	 */
	private static final int MAX_KEYS = 300;

	/**
	 * The largest total length of the URL-encoded keys in a request, in bytes. This is
	 * half of what servers accept for a whole request.
	 */
	private static final int MAX_BYTES = 32 * 1024;

	private final LeafServers servers;

	private final Predicate<String> direct;

	private final Map<String, Long> highestEnds = new ConcurrentHashMap<>();

	// By key, the highest end of the segments that came from the memory of a server.
	// Numbers below that end are not given back, because giving them back lowers the
	// counter of the row. The server has already seen a higher counter, and would
	// conclude that the table went back to an earlier state.
	private final Map<String, Long> bufferedEnds = new ConcurrentHashMap<>();

	/**
	 * Creates a store.
	 * @param servers the servers
	 * @param direct selects the keys with global ordering. The segments of these keys
	 * never come from the memory of a server, and are never shorter than requested
	 */
	public ServerSegmentStore(LeafServers servers, Predicate<String> direct) {
		this.servers = servers;
		this.direct = direct;
	}

	@Override
	public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
		MultiValueMap<String, String> parameters = parameters(key, timeout);
		parameters.set("size", String.valueOf(size));
		parameters.set("floor", String.valueOf(Math.max(floor, this.highestEnds.getOrDefault(key, 0L))));
		if (this.direct.test(key)) {
			parameters.set("direct", "true");
		}
		Answer answer = post("allocate", parameters, timeout);
		return (answer != null) ? allocation(key, answer) : null;
	}

	@Override
	public @Nullable Allocation allocate(String key, long size, Window window, Duration timeout) {
		MultiValueMap<String, String> parameters = parameters(key, timeout);
		parameters.set("size", String.valueOf(size));
		parameters.set("from", String.valueOf(window.from()));
		parameters.set("to", String.valueOf(window.to()));
		parameters.set("since", window.since().toString());
		parameters.set("until", window.until().toString());
		parameters.set("gap", String.valueOf(window.raises().gap()));
		parameters.set("raises", String.valueOf(window.raises().total()));
		window.raises().latest().stream().map(Instant::toString).forEach((time) -> parameters.add("raised-at", time));
		// With the parameter 'direct', the server refuses a request for too many numbers
		// instead of handing out fewer. Fewer numbers might not suffice for a call. They
		// would then be lost, and the call would request numbers again.
		if (this.direct.test(key)) {
			parameters.set("direct", "true");
		}
		Answer answer = post("allocate", parameters, timeout);
		return (answer != null && answer.has("from")) ? allocation(key, answer) : null;
	}

	private Allocation allocation(String key, Answer answer) {
		Allocation allocation = read(
				() -> new Allocation(answer.number("from"), answer.number("to"), answer.number("rowStep")));
		this.highestEnds.merge(key, allocation.to(), Math::max);
		if (answer.isTrue("buffered")) {
			this.bufferedEnds.merge(key, allocation.to(), Math::max);
		}
		return allocation;
	}

	@Override
	public @Nullable Counter read(String key, Duration timeout) {
		Answer answer = post("counter", parameters(key, timeout), timeout);
		return (answer == null) ? null : read(() -> new Counter(answer.number("next"), answer.time("time"),
				new Raises(answer.number("gap"), answer.number("raises"), answer.times("raisedAt"))));
	}

	// This process waits for each server only for a share of the timeout, and then sends
	// the request to the next server. The share is sent as the timeout of the server, so
	// that the server gives up the request at about the same time.
	private MultiValueMap<String, String> parameters(String key, Duration timeout) {
		MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();
		parameters.set("key", key);
		parameters.set("timeout",
				String.valueOf(Math.max(1, Math.min(this.servers.share(timeout).toMillis(), MAX_TIMEOUT_MILLIS))));
		return parameters;
	}

	@Override
	public Set<String> giveBack(List<Unissued> unissued) {
		Set<String> givenBack = new HashSet<>();
		List<Unissued> direct = new ArrayList<>();
		for (Unissued numbers : unissued) {
			long from = Math.max(numbers.from(), this.bufferedEnds.getOrDefault(numbers.key(), 0L));
			if (from < numbers.to()) {
				direct.add(new Unissued(numbers.key(), from, numbers.to()));
			}
		}
		for (List<Unissued> batch : batches(direct, Unissued::key)) {
			MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();
			for (Unissued numbers : batch) {
				parameters.add("key", numbers.key());
				parameters.add("from", String.valueOf(numbers.from()));
				parameters.add("to", String.valueOf(numbers.to()));
			}
			Answer answer = failing(() -> this.servers.postOnce(PATH + "give-back", parameters, TIMEOUT));
			givenBack.addAll(read(() -> required(answer).texts("keys")));
			batch.stream()
				.filter((numbers) -> givenBack.contains(numbers.key()))
				.forEach((numbers) -> this.highestEnds.put(numbers.key(), numbers.from()));
		}
		return givenBack;
	}

	@Override
	public void checkWritable() {
		post("check", new LinkedMultiValueMap<>(), TIMEOUT);
	}

	@Override
	public List<SegmentRow> findAll() {
		return rows(List.of(), READ_TIMEOUT);
	}

	@Override
	public List<SegmentRow> find(Collection<String> keys) {
		List<SegmentRow> rows = new ArrayList<>();
		batches(keys, (key) -> key).forEach((batch) -> rows.addAll(rows(batch, TIMEOUT)));
		return rows;
	}

	private List<SegmentRow> rows(List<String> keys, Duration timeout) {
		MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();
		keys.forEach((key) -> parameters.add("key", key));
		Answer answer = post("rows", parameters, timeout);
		return read(() -> required(answer).answers("rows")
			.stream()
			.map((row) -> new SegmentRow(row.text("key"), row.number("maxId"), row.number("step")))
			.toList());
	}

	private static <T> List<List<T>> batches(Collection<T> items, Function<T, String> key) {
		List<List<T>> batches = new ArrayList<>();
		int bytes = MAX_BYTES;
		for (T item : items) {
			int length = URLEncoder.encode(key.apply(item), StandardCharsets.UTF_8).length();
			if (bytes + length > MAX_BYTES || batches.get(batches.size() - 1).size() == MAX_KEYS) {
				batches.add(new ArrayList<>());
				bytes = 0;
			}
			batches.get(batches.size() - 1).add(item);
			bytes += length;
		}
		return batches;
	}

	@Override
	public void create(String key, int step, long from) {
		MultiValueMap<String, String> parameters = parameters(key, TIMEOUT);
		parameters.set("step", String.valueOf(step));
		parameters.set("from", String.valueOf(from));
		post("create", parameters, TIMEOUT);
	}

	private @Nullable Answer post(String method, MultiValueMap<String, String> parameters, Duration timeout) {
		return failing(() -> this.servers.post(PATH + method, parameters, timeout));
	}

	private static Answer required(@Nullable Answer answer) {
		if (answer == null) {
			throw new SegmentStoreException(
					"The Leaf server answered that a key has no row, which is not a valid answer to this request. Check that leaf.server.urls are those of Leaf servers",
					null, false);
		}
		return answer;
	}

	private static <T extends @Nullable Object> T failing(Supplier<T> request) {
		try {
			return request.get();
		}
		catch (LeafServerException ex) {
			throw new SegmentStoreException(String.valueOf(ex.getMessage()), ex, ex.isRefusal());
		}
	}

	private static <T> T read(Supplier<T> fields) {
		try {
			return failing(fields::get);
		}
		catch (IllegalArgumentException ex) {
			throw new SegmentStoreException(
					"The answer of the Leaf server is not valid (%s). Check that leaf.server.urls are those of Leaf servers"
						.formatted(ex.getMessage()),
					ex, false);
		}
	}

}
