// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The recent activity of clients on this server: the ranges that they have taken in the
 * last minute, and the leases that have not ended. The activity is kept in memory, and is
 * only for display. Each server shows only the leases whose records it has written in the
 * last hour. If another server renews or releases such a lease later, this server does
 * not notice, and shows the old end.
 * <p>
 * Safe for use by any number of threads.
 */
public final class ClientActivity {

	/**
	 * The maximum number of pairs of client and key, and the maximum number of leases, in
	 * a report.
	 */
	static final int SHOWN = 50;

	/**
	 * The maximum number of pairs of client and key, and the maximum number of leases, in
	 * memory. If a maximum is reached, a new entry is recorded only after another one has
	 * expired.
	 */
	static final int REMEMBERED = 10_000;

	private static final long MINUTE = 60_000;

	/**
	 * How long a lease is remembered after its record was written. Without this limit,
	 * leases that end in the distant future, which a client may write, would occupy the
	 * memory until this server stops.
	 */
	private static final long HOUR = 60 * MINUTE;

	private final InstantSource clock;

	private final Map<KeyOfClient, LastMinute> ranges = new ConcurrentHashMap<>();

	private final Map<WorkerOfName, Written> leases = new ConcurrentHashMap<>();

	// when isFull last searched for expired entries, in seconds since 1970
	private final AtomicLong searched = new AtomicLong();

	/**
	 * Creates an instance that has recorded nothing.
	 * @param clock the wall clock
	 */
	public ClientActivity(InstantSource clock) {
		this.clock = clock;
	}

	/**
	 * Records a range that was handed out.
	 * @param client the name of the client
	 * @param key the key
	 * @param numbers how many numbers the range contains
	 */
	public void rangeTaken(String client, String key, long numbers) {
		KeyOfClient id = new KeyOfClient(client, key);
		LastMinute minute = this.ranges.get(id);
		if (minute == null) {
			if (isFull(this.ranges)) {
				return;
			}
			minute = this.ranges.computeIfAbsent(id, (absent) -> new LastMinute());
		}
		minute.add(this.clock.millis(), numbers);
	}

	/**
	 * Records a lease after its lease record was written.
	 * @param client the name of the client
	 * @param name the {@code leaf.name}
	 * @param workerId the worker ID
	 * @param host the label ({@code host:port}) of the process that holds the lease
	 * @param horizon the end of the lease in milliseconds since 1970, by the clock of
	 * that process
	 */
	public void leaseWritten(String client, String name, long workerId, String host, long horizon) {
		WorkerOfName id = new WorkerOfName(name, workerId);
		if (this.leases.containsKey(id) || !isFull(this.leases)) {
			this.leases.put(id, new Written(new Lease(client, name, workerId, host, horizon), this.clock.millis()));
		}
	}

	private boolean isFull(Map<?, ?> entries) {
		if (entries.size() >= REMEMBERED && isSearchDue()) {
			forgetEnded(this.clock.millis());
		}
		return entries.size() >= REMEMBERED;
	}

	// A search for expired entries visits all entries. Searching before each new entry
	// would be too slow, so isFull searches at most once per second.
	private boolean isSearchDue() {
		long second = this.clock.millis() / (MINUTE / LastMinute.PARTS);
		return this.searched.getAndSet(second) != second;
	}

	private void forgetEnded(long now) {
		this.ranges.values().removeIf((minute) -> minute.at(now).ranges() == 0);
		this.leases.values().removeIf((written) -> written.lease().horizon() < now || written.at() < now - HOUR);
	}

	/**
	 * Returns the current activity, with at most {@link #SHOWN} pairs of client and key
	 * and at most {@link #SHOWN} leases.
	 */
	public Report report() {
		long now = this.clock.millis();
		forgetEnded(now);
		List<Ranges> taken = this.ranges.entrySet()
			.stream()
			.map((entry) -> Ranges.of(entry.getKey(), entry.getValue().at(now)))
			.sorted(Comparator.comparingLong(Ranges::numbers)
				.reversed()
				.thenComparing(Ranges::key)
				.thenComparing(Ranges::client))
			.limit(SHOWN)
			.toList();
		List<Lease> held = this.leases.values()
			.stream()
			.map(Written::lease)
			.sorted(Comparator.comparing(Lease::name).thenComparingLong(Lease::workerId))
			.limit(SHOWN)
			.toList();
		return new Report(this.ranges.size(), taken, this.leases.size(), held);
	}

	/**
	 * A snapshot of the activity.
	 *
	 * @param rangesInAll the number of pairs of client and key for which ranges were
	 * taken in the last minute
	 * @param ranges the pairs for which the most numbers were taken, at most
	 * {@link #SHOWN}
	 * @param leasesInAll the number of leases that have not ended, and whose records this
	 * server has written in the last hour
	 * @param leases the first of these leases, sorted by name and worker ID, at most
	 * {@link #SHOWN}
	 */
	public record Report(int rangesInAll, List<Ranges> ranges, int leasesInAll, List<Lease> leases) {

	}

	/**
	 * How many ranges and numbers of one key a client has taken in the last minute.
	 *
	 * @param client the name of the client
	 * @param key the key
	 * @param ranges how many ranges were taken
	 * @param numbers how many numbers the ranges contain in total
	 */
	public record Ranges(String client, String key, long ranges, long numbers) {

		private static Ranges of(KeyOfClient id, Taken taken) {
			return new Ranges(id.client(), id.key(), taken.ranges(), taken.numbers());
		}

	}

	/**
	 * A lease whose record this server has written.
	 *
	 * @param client the name of the client
	 * @param name the {@code leaf.name}
	 * @param workerId the worker ID
	 * @param host the label ({@code host:port}) of the process that holds the lease
	 * @param horizon the end of the lease in milliseconds since 1970
	 */
	public record Lease(String client, String name, long workerId, String host, long horizon) {

	}

	private record KeyOfClient(String client, String key) {

	}

	private record WorkerOfName(String name, long workerId) {

	}

	private record Written(Lease lease, long at) {

	}

	private record Taken(long ranges, long numbers) {

		private static final Taken NOTHING = new Taken(0, 0);

		private Taken plus(long numbers) {
			return new Taken(this.ranges + 1, this.numbers + numbers);
		}

	}

	/**
	 * Counts the ranges and numbers of one key that a client has taken in the last
	 * minute, separately for each of the 60 seconds.
	 */
	private static final class LastMinute {

		private static final int PARTS = 60;

		private final Taken[] parts = new Taken[PARTS];

		private long last = Long.MIN_VALUE;

		private synchronized void add(long now, long numbers) {
			move(now);
			int part = (int) (this.last % PARTS);
			this.parts[part] = Objects.requireNonNullElse(this.parts[part], Taken.NOTHING).plus(numbers);
		}

		private synchronized Taken at(long now) {
			move(now);
			long ranges = 0;
			long numbers = 0;
			for (Taken part : this.parts) {
				if (part != null) {
					ranges += part.ranges();
					numbers += part.numbers();
				}
			}
			return new Taken(ranges, numbers);
		}

		// 'last' is the latest second so far; if the clock steps back, new numbers are
		// still counted in that second
		private void move(long now) {
			long part = now / (MINUTE / PARTS);
			for (long next = Math.max(this.last + 1, part - PARTS + 1); next <= part; next++) {
				this.parts[(int) (next % PARTS)] = null;
			}
			this.last = Math.max(this.last, part);
		}

	}

}
