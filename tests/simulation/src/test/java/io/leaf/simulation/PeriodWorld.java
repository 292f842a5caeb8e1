// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.leaf.segment.KeyPeriod;
import io.leaf.segment.KeySettings;
import io.leaf.segment.Ordering;
import io.leaf.segment.PeriodUnit;
import io.leaf.segment.SegmentRow;
import io.leaf.segment.SegmentSettings;
import io.leaf.segment.SegmentStore.Allocation;
import org.jspecify.annotations.Nullable;

/**
 * A world in which processes allocate from the rows of two keys whose numbers begin at 1
 * every day. It covers ten years, or four months with Leaf servers. Faults happen around
 * each midnight. During the rest of each day, processes are paused, and machines may
 * sleep.
 */
final class PeriodWorld extends SharedStoreWorld<PeriodProcess> {

	private static final String GLOBAL = "invoice";

	private static final String STRICT = "receipt";

	static final List<String> KEYS = List.of(GLOBAL, STRICT);

	static final Duration MAX_DRIFT = Duration.ofSeconds(10);

	private static final LocalDate BEGINNING = LocalDate.of(2026, 1, 1);

	private static final LocalDate END_OF_DECADE = LocalDate.of(2036, 1, 1);

	private static final LocalDate END_OF_MONTHS = LocalDate.of(2026, 5, 1);

	/**
	 * Time zones with and without daylight saving time. In Beirut, Cairo, Havana and
	 * Santiago, clocks change at midnight or an hour after it.
	 */
	private static final List<String> ZONES = List.of("UTC", "Asia/Shanghai", "Asia/Kathmandu", "Europe/Berlin",
			"America/New_York", "Asia/Beirut", "Africa/Cairo", "America/Havana", "America/Santiago",
			"Australia/Lord_Howe", "Pacific/Kiritimati", "Pacific/Chatham");

	/**
	 * The sum of the longest backoff and the longest pause of a caller between two
	 * requests.
	 */
	private static final Duration RECOVERY = Duration.ofMillis(500 + 4_000);

	private static final long MAX_CLOCK_STEP = TimeUnit.DAYS.toNanos(3);

	/**
	 * More numbers than all processes allocate within a night.
	 */
	private static final long GAP = 10_000;

	/**
	 * More numbers than the callers need after all faults have ended.
	 */
	private static final long MIN_NUMBERS_LEFT = 100;

	/**
	 * More numbers than the callers of a process need at once.
	 */
	static final long SERVER_MAX_STEP = 50;

	private static final int MAX_PROCESSES = 3;

	private final SimulatedTable table = new SimulatedTable(this::time);

	private final Map<String, LongSet> issued = Map.of(GLOBAL, new LongSet(), STRICT, new LongSet());

	private final IdChecker.Order order = new IdChecker.Order();

	private final LocalDate last;

	private final ZoneId zone;

	private final long scale;

	private final long failoverGap;

	private final SegmentSettings settings;

	// The clocks of the store since the last evening. Each server has its own clock.

	private final List<ServerClock> clocks = new ArrayList<>();

	private Instant latest = Instant.MIN;

	private LocalDate midnight = BEGINNING;

	// by period: the allocations of the key with global ordering

	private final TreeMap<Long, List<Allocated>> allocated = new TreeMap<>();

	private final Map<Allocation, Allocated> unanswered = new HashMap<>();

	private final Map<Long, Long> smallest = new TreeMap<>();

	// the period of the ID that was checked last, its start and its end

	private long checked;

	private Instant start = Instant.MIN;

	private Instant until = Instant.MIN;

	private final List<PeriodProcess> started = new ArrayList<>();

	private final Map<String, SegmentRow> removed = new HashMap<>();

	private final Set<LocalDate> failovers = new HashSet<>();

	/**
	 * Creates a world.
	 * @param servers whether some processes are clients of Leaf servers. If so, the world
	 * covers four months
	 */
	PeriodWorld(World world, boolean servers) {
		super(world, MAX_PROCESSES, Integer.MAX_VALUE, servers);
		this.last = servers ? END_OF_MONTHS : END_OF_DECADE;
		RandomSource random = world.random();
		this.zone = ZoneId.of(random.pick(ZONES));
		this.failoverGap = random.chance(0.3) ? GAP : 0;
		int digits = random.pick((this.failoverGap > 0) ? List.of(5, 6, 10) : List.of(3, 6, 10));
		this.scale = (long) Math.pow(10, digits);
		KeyPeriod period = new KeyPeriod(PeriodUnit.DAY, this.zone, digits, MAX_DRIFT);
		this.settings = SegmentSettings.builder()
			.prefetchAt(random.pick(0.0, 0.1, 0.5, 1.0))
			.targetDuration(Duration.ofSeconds(random.between(1, 900)))
			.maxStep(random.pick(1L, 50L, 400L))
			.acquireTimeout(Duration.ofSeconds(2))
			.refreshInterval(Duration.ofHours(1))
			.preload(random.chance(0.3))
			.failFast(random.chance(0.5))
			.autoCreateStep(0)
			.ordering(Ordering.STRICT)
			.giveBack(true)
			.keys(Map.of(GLOBAL, new KeySettings(1, null, period), STRICT, new KeySettings(1, Ordering.STRICT, period)))
			.aboveExistingIds(true)
			.build();
		KEYS.forEach((key) -> this.table.put(new SegmentRow(key, 1, random.pick(1, 3, 10, 130))));
		this.table.replicate();
		this.clocks.add(new ServerClock(0, 0));
	}

	private Instant time() {
		return time(world().now());
	}

	private Instant time(long now) {
		return Process.BEGINNING.plusNanos(now + this.clocks.get(this.clocks.size() - 1).offset);
	}

	@Override
	Server server() {
		return this.table;
	}

	@Override
	void begin() {
		untilEvening();
		start();
		start();
	}

	@Override
	void start() {
		PeriodProcess process = process(nextName(), drawServers());
		this.started.add(process);
		add(process);
	}

	@Override
	void start(LeafServer server) {
		PeriodProcess process = process(server.nextName(), List.of());
		server.listen(process, process.servlet(server), faults());
	}

	private PeriodProcess process(String name, List<LeafServer> servers) {
		RandomSource random = world().random();
		double rate = faults().happens(Fault.CLOCK_RATE) ? random.pick(0.9999, 1.0001) : 1;
		long wallOffset = random.chance(0.5) ? 0 : step();
		return new PeriodProcess(this, new Process(world(), name, rate, wallOffset), rate, servers);
	}

	private long step() {
		RandomSource random = world().random();
		return random.upTo(MAX_CLOCK_STEP) * (random.chance(0.5) ? 1 : -1);
	}

	@Override
	void repair() {
		KEYS.forEach(this::restoreRow);
		KEYS.forEach((key) -> this.table.put(new SegmentRow(key, this.table.row(key).maxId(), 10)));
	}

	@Override
	Duration recovery() {
		return RECOVERY;
	}

	@Override
	boolean canServe(PeriodProcess process) {
		return KEYS.stream().allMatch((key) -> {
			long first = first(LocalDate.ofInstant(time(), this.zone));
			long next = Math.max(first, this.table.row(key).maxId());
			return next <= first + this.scale - MIN_NUMBERS_LEFT;
		});
	}

	@Override
	boolean inject(Fault fault, PeriodProcess process, long nanos) {
		RandomSource random = world().random();
		switch (fault) {
			case STEP_EDITED -> {
				SegmentRow row = this.table.row(random.pick(KEYS));
				if (row == null) {
					return false;
				}
				this.table.put(new SegmentRow(row.key(), row.maxId(), random.pick(-1, 0, 1, 2, 7, 100)));
			}
			case ROW_REMOVED -> {
				// a row that is missing during a failover would not be raised
				if (this.failoverGap > 0) {
					return false;
				}
				String key = random.pick(KEYS);
				removeRow(key);
				world().in(nanos, () -> restoreRow(key));
			}
			case CLOCK_STEP -> process.stepWallClock(step());
			case FAILOVER -> {
				// with a failover gap, the replica may lack the last commits
				if (this.failoverGap > 0 && random.chance(0.7)) {
					this.table.replicate();
				}
				world().in(nanos, this::failOver);
			}
			default -> {
				return super.inject(fault, process, nanos);
			}
		}
		return true;
	}

	private void removeRow(String key) {
		SegmentRow row = this.table.row(key);
		if (row != null) {
			this.table.remove(key);
			this.removed.put(key, row);
			world().trace().line(world(), "", "row removed: " + row);
		}
	}

	private void restoreRow(String key) {
		SegmentRow row = this.removed.remove(key);
		if (row != null) {
			this.table.put(row);
			world().trace().line(world(), "", "row added: " + row);
		}
	}

	private void failOver() {
		if (faults().areOver()) {
			return;
		}
		if (this.failoverGap == 0) {
			this.table.replicate();
		}
		else if (!this.table.primary().isReplicated()) {
			return;
		}
		else if (losesPeriod(GLOBAL)) {
			// a server whose clock is behind continues the previous period
			this.order.restart();
		}
		this.table.failOver();
		this.failovers.add(this.midnight);
		this.latest = latest();
		long half = MAX_DRIFT.toNanos() / 2;
		this.clocks.add(new ServerClock(world().now(), world().random().between(-half, half)));
		world().trace().line(world(), "", "failover to a server whose clock shows " + time());
	}

	private boolean losesPeriod(String key) {
		SegmentRow row = this.table.row(key);
		SegmentRow replicated = this.table.replicatedRow(key);
		return row == null || replicated == null || period(row.maxId()) != period(replicated.maxId());
	}

	private Instant latest() {
		Instant time = time();
		return time.isAfter(this.latest) ? time : this.latest;
	}

	@Override
	boolean prepareNextRound() {
		checkStartsOfPeriods();
		// ends the processes that were starting or stopping when the faults ended
		this.started.stream()
			.filter((process) -> !processes().contains(process))
			.forEach((process) -> process.process().kill());
		this.started.retainAll(processes());
		listeners().stream()
			.filter((listener) -> !listener.isServing())
			.forEach((listener) -> listener.process().kill());
		if (!this.midnight.isBefore(this.last) || world().violation() != null) {
			return false;
		}
		world().trace().clear();
		untilEvening();
		return true;
	}

	private void untilEvening() {
		RandomSource random = world().random();
		this.midnight = this.midnight.plusDays(1);
		long evening = Duration.between(Process.BEGINNING, this.midnight.atStartOfDay(this.zone).toInstant()).toNanos()
				- random.between(0, Faults.DURATION);
		long rest = Math.max(0, evening - world().now());
		for (PeriodProcess process : processes()) {
			if (random.chance(0.2)) {
				process.sleep(rest + random.between(0, Faults.DURATION));
			}
			else {
				process.process().pause(rest);
			}
		}
		listeners().forEach((listener) -> listener.process().pause(rest));
		this.latest = latest();
		this.clocks.subList(0, this.clocks.size() - 1).clear();
		world().pass(rest);
	}

	/**
	 * Returns whether all numbers of the present period have been allocated.
	 */
	boolean isUsedUp(String key) {
		SegmentRow row = this.table.row(key);
		return row != null && row.maxId() >= first(LocalDate.ofInstant(time(), this.zone)) - 1 + this.scale;
	}

	/**
	 * Returns the number of the period to which an ID belongs.
	 */
	long period(long id) {
		return (id - 1) / this.scale;
	}

	private static LocalDate date(long period) {
		return LocalDate.of((int) (period / 10_000), (int) (period / 100 % 100), (int) (period % 100));
	}

	private long first(LocalDate date) {
		return (date.getYear() * 10_000L + date.getMonthValue() * 100 + date.getDayOfMonth()) * this.scale + 1;
	}

	/**
	 * Checks that the period of an ID was the present period of the store at some time
	 * during the call that drew the ID.
	 * @param callStart when the call began
	 * @param lag how far the process may be behind the clock of the store, in nanoseconds
	 * @return what is wrong, or {@code null} if the period is right
	 */
	@Nullable String outsidePeriod(long id, long callStart, long lag) {
		if (id < first(BEGINNING.minusDays(1))) {
			return "belongs to no period";
		}
		long period = period(id);
		if (period != this.checked) {
			this.checked = period;
			this.start = date(period).atStartOfDay(this.zone).toInstant();
			this.until = date(period).plusDays(1).atStartOfDay(this.zone).toInstant();
		}
		Instant start = this.start;
		// a period that has begun is continued, even by a server whose clock is behind
		boolean begun = this.failoverGap > 0 || !latest().isBefore(start);
		Instant earliest = begun ? start.minus(MAX_DRIFT) : start;
		Instant until = this.until.plusNanos(lag);
		long end = world().now();
		for (int i = this.clocks.size() - 1; i >= 0; i--) {
			ServerClock clock = this.clocks.get(i);
			Instant first = Process.BEGINNING.plusNanos(Math.max(callStart, clock.since) + clock.offset);
			Instant last = Process.BEGINNING.plusNanos(end + clock.offset);
			if (!last.isBefore(earliest) && first.isBefore(until)) {
				return null;
			}
			if (clock.since <= callStart) {
				break;
			}
			end = clock.since;
		}
		return "is of a period from %s to %s, but the store shows %s; the call began %.3f s earlier".formatted(start,
				until, time(), (world().now() - callStart) / 1e9);
	}

	/**
	 * Records an allocation.
	 * @param since when the previous attempt of the process ended
	 */
	void allocated(String key, Allocation allocation, PeriodProcess process, long since) {
		if (isGlobal(key)) {
			Allocated record = new Allocated(allocation, process, since);
			this.allocated.computeIfAbsent(period(allocation.from()), (period) -> new ArrayList<>()).add(record);
			this.unanswered.put(allocation, record);
		}
	}

	/**
	 * Records that the answer to an allocation has arrived.
	 */
	void answered(String key, Allocation allocation) {
		if (isGlobal(key)) {
			this.unanswered.remove(allocation);
		}
	}

	/**
	 * Records that an ID is issued.
	 * @return whether the ID had not been issued before
	 */
	boolean issued(String key, long id) {
		if (isGlobal(key)) {
			this.smallest.merge(period(id), id, Math::min);
		}
		return this.issued.get(key).add(id);
	}

	// To be called while no call is under way. A period with global ordering begins at 1,
	// unless the smaller numbers were lost to a failure.
	private void checkStartsOfPeriods() {
		this.unanswered.values().forEach((record) -> record.isExplained = true);
		this.unanswered.clear();
		this.allocated.values().stream().flatMap(List::stream).forEach(Allocated::explain);
		for (Long period : List.copyOf(this.allocated.headMap(period(first(this.midnight))).keySet())) {
			checkStart(period, this.allocated.remove(period), this.smallest.remove(period));
		}
		this.failovers.removeIf((date) -> date.isBefore(this.midnight.minusDays(2)));
	}

	private void checkStart(long period, List<Allocated> allocated, @Nullable Long smallest) {
		LocalDate date = date(period);
		boolean failedOver = this.failoverGap > 0 && this.failovers.stream()
			.anyMatch((night) -> !night.isBefore(date.minusDays(1)) && !night.isAfter(date.plusDays(1)));
		if (smallest == null || failedOver) {
			return;
		}
		long next = first(date);
		for (Allocated record : allocated) {
			if (record.allocation.from() <= next && record.isExplained) {
				next = Math.max(next, record.allocation.to());
			}
		}
		if (smallest > next) {
			world().violated("The first number of period %d that was issued is %d, although no failure lost %d: %s"
				.formatted(period, smallest, next, allocated.stream().map(Allocated::allocation).limit(5).toList()));
		}
	}

	boolean isGlobal(String key) {
		return key.equals(GLOBAL);
	}

	SegmentSettings settings() {
		return this.settings;
	}

	long failoverGap() {
		return this.failoverGap;
	}

	SimulatedTable table() {
		return this.table;
	}

	/**
	 * Returns the order in which the IDs of a new process must ascend for a key. All
	 * processes share one order if the key has global ordering.
	 */
	IdChecker.Order order(String key) {
		return isGlobal(key) ? this.order : new IdChecker.Order();
	}

	@Override
	int issuedIds() {
		return this.issued.values().stream().mapToInt(LongSet::size).sum();
	}

	/**
	 * The clock of a server of the database.
	 *
	 * @param since when this server became the primary server
	 * @param offset how far the clock is ahead, in nanoseconds
	 */
	private record ServerClock(long since, long offset) {

	}

	/**
	 * Numbers that were allocated to a process.
	 */
	private static final class Allocated {

		private final Allocation allocation;

		private final PeriodProcess process;

		private final long since;

		private boolean isExplained;

		Allocated(Allocation allocation, PeriodProcess process, long since) {
			this.allocation = allocation;
			this.process = process;
			this.since = since;
		}

		Allocation allocation() {
			return this.allocation;
		}

		/**
		 * Marks the numbers as explained if a call of the process has failed since the
		 * end of its previous attempt, because the numbers may then have been lost.
		 */
		void explain() {
			this.isExplained |= this.process.failed(GLOBAL) >= this.since;
		}

	}

}
