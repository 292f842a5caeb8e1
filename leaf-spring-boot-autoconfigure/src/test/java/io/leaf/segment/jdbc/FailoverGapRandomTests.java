// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.leaf.segment.jdbc.FailoverGap.Found;
import io.leaf.segment.jdbc.FailoverGap.Primary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests {@link FailoverGap} with random failovers, with processes whose gaps differ, with
 * servers whose clocks differ, and with delayed raises. Each failover leads to a new
 * server with any earlier state of any server, or back to a former server with its last
 * state, provided that
 * <ul>
 * <li>no former state has more numbers of a key, or of one of its periods, than the state
 * of the server and the smallest gap together, and
 * <li>the first process that uses the server has seen all raises that the server lacks.
 * </ul>
 */
class FailoverGapRandomTests {

	private static final int RUNS = Boolean.getBoolean("leaf.test.full") ? 40_000 : 6_000;

	private static final List<Long> GAPS = List.of(10L, 13L, 30L, 100L);

	@BeforeEach
	void doNotLogEachRaise() {
		log(LogLevel.OFF);
	}

	@AfterEach
	void logAgain() {
		log(null);
	}

	private static void log(@Nullable LogLevel level) {
		LoggingSystem.get(FailoverGap.class.getClassLoader()).setLogLevel(FailoverGap.class.getName(), level);
	}

	@Test
	void noNumberIsAllocatedTwice() {
		for (long seed = 0; seed < RUNS; seed++) {
			World world = new World(seed);
			for (int step = 0; step < 30; step++) {
				world.step();
				assertThat(world.repeated).as("seed %d: %s", seed, world.trace).isEmpty();
			}
		}
	}

	private enum Key {

		/**
		 * Its row exists from the beginning.
		 */
		ORDER,

		/**
		 * Its row is added by a process, again if a failover has lost it.
		 */
		USER,

		/**
		 * Its numbers begin again in each period. Its row exists from the beginning.
		 */
		INVOICE;

		private static final int SECONDS = 6000;

		private static final int MAX_DRIFT = 1500;

		private static final long PERIOD = 1_000_000;

		/**
		 * Returns the counter from which to allocate.
		 * @param counter the counter in the row, or {@code null} if there is no row
		 */
		long from(@Nullable Long counter, FailoverGap gap, Instant time) {
			if (this == INVOICE) {
				long next = Objects.requireNonNull(counter);
				long period = Math.max(time.getEpochSecond() / SECONDS, next / PERIOD);
				long raised = gap.raises(gap.seen()).since(Instant.ofEpochSecond(period * SECONDS - MAX_DRIFT));
				return Math.max(next, period * PERIOD + 1 + raised);
			}
			return (counter != null) ? counter : gap.firstNumber(1);
		}

	}

	/**
	 * The content of a database server at a certain time.
	 */
	private static final class State {

		private final @Nullable State former;

		private final PrimaryRecord row;

		private final Map<Key, Long> counters;

		private final Map<String, Integer> allocated;

		/**
		 * Creates a state.
		 * @param former the state before the last change, or {@code null}
		 * @param row the row of {@code leaf_primary}
		 * @param counters the counters
		 * @param allocated how many numbers of each key have been allocated, per period
		 */
		State(@Nullable State former, PrimaryRecord row, Map<Key, Long> counters, Map<String, Integer> allocated) {
			this.former = former;
			this.row = row;
			this.counters = counters;
			this.allocated = allocated;
		}

		static State initial() {
			return new State(null, new PrimaryRecord("0", 0, 0, 0, 1, List.of()),
					new EnumMap<>(Map.of(Key.ORDER, 1L, Key.INVOICE, 1L)), Map.of());
		}

		State raise(PrimaryRecord next, long numbers) {
			Map<Key, Long> raised = new EnumMap<>(this.counters);
			raised.replaceAll((key, counter) -> counter + numbers);
			return new State(this, next, raised, this.allocated);
		}

		State allocate(Key key, long from, int count) {
			Map<Key, Long> advanced = new EnumMap<>(this.counters);
			advanced.put(key, from + count);
			Map<String, Integer> more = new HashMap<>(this.allocated);
			more.merge(key + ((key == Key.INVOICE) ? " " + from / Key.PERIOD : ""), count, Integer::sum);
			return new State(this, this.row, advanced, more);
		}

		Stream<State> lineage() {
			return Stream.iterate(this, Objects::nonNull, (state) -> state.former);
		}

		int lacking(State lost) {
			return lost.allocated.entrySet()
				.stream()
				.mapToInt((count) -> count.getValue() - this.allocated.getOrDefault(count.getKey(), 0))
				.max()
				.orElse(0);
		}

	}

	/**
	 * A process fails because it must not be the first to use the present server.
	 */
	private static final class NotTheFirstException extends RuntimeException {

		private static final long serialVersionUID = 1;

	}

	private static final class World implements Primary {

		private final Random random;

		private final List<FailoverGap> processes = new ArrayList<>();

		private final Map<FailoverGap, Set<PrimaryRecord>> known = new HashMap<>();

		private final Set<State> states = new HashSet<>();

		private final Map<String, State> servers = new HashMap<>();

		private final Map<Key, Set<Long>> issued = new EnumMap<>(Key.class);

		private final List<String> repeated = new ArrayList<>();

		private final List<String> trace = new ArrayList<>();

		private State state = State.initial();

		private final Map<String, Integer> clocks = new HashMap<>();

		private String server = "0";

		private Instant time = Instant.EPOCH;

		private int maxSeconds = 2000;

		private @Nullable FailoverGap user;

		/**
		 * The processes of which one must be the first to use the present server.
		 */
		private List<FailoverGap> first;

		World(long seed) {
			this.random = new Random(seed);
			Stream.generate(this::process).limit(1 + this.random.nextInt(3)).forEach(this.processes::add);
			this.first = this.processes;
			change(this.state);
		}

		private FailoverGap process() {
			return new FailoverGap(pick(GAPS), this.random::nextLong);
		}

		private <T> T pick(List<T> choices) {
			return choices.get(this.random.nextInt(choices.size()));
		}

		void step() {
			this.time = this.time.plusSeconds(this.random.nextInt(this.maxSeconds));
			if (this.random.nextInt(10) == 0) {
				this.processes.set(this.random.nextInt(this.processes.size()), process());
				this.first = this.first.stream().filter(this.processes::contains).toList();
			}
			if (this.random.nextInt(3) > 0) {
				if (!this.first.isEmpty()) {
					use(pick(this.first));
				}
			}
			else if (this.random.nextInt(3) > 0) {
				failOver("" + this.servers.size(), pick(pick(List.copyOf(this.servers.values())).lineage().toList()));
			}
			else {
				String former = pick(List.copyOf(this.servers.keySet()));
				failOver(former, this.servers.get(former));
			}
		}

		private void failOver(String server, State next) {
			Set<State> lost = new HashSet<>(this.states);
			next.lineage().forEach(lost::remove);
			Set<PrimaryRecord> raises = lost.stream().map((state) -> state.row).collect(Collectors.toSet());
			next.lineage().forEach((state) -> raises.remove(state.row));
			List<FailoverGap> aware = this.processes.stream()
				.filter((process) -> this.known.getOrDefault(process, Set.of()).containsAll(raises))
				.toList();
			if (lost.stream().allMatch((state) -> next.lacking(state) < GAPS.get(0)) && !aware.isEmpty()) {
				this.server = server;
				this.first = aware;
				change(next);
				this.trace.add("%s: failover to server %s with %s".formatted(this.time, server, next.row));
			}
		}

		private void use(FailoverGap process) {
			FailoverGap other = this.user;
			this.user = process;
			try {
				process.follow(this);
			}
			catch (NotTheFirstException ex) {
				return;
			}
			finally {
				this.user = other;
			}
			this.known.computeIfAbsent(process, (absent) -> new HashSet<>()).add(this.state.row);
			if (!this.first.contains(process)) {
				return;
			}
			this.first = this.processes;
			if (this.random.nextInt(4) > 0) {
				allocate(process);
			}
		}

		private void allocate(FailoverGap process) {
			Key key = pick(List.of(Key.values()));
			int count = 1 + this.random.nextInt(5);
			long from = key.from(this.state.counters.get(key), process, find().time());
			change(this.state.allocate(key, from, count));
			this.trace.add("%s: %d numbers of %s from %d".formatted(this.time, count, key, from));
			Set<Long> issued = this.issued.computeIfAbsent(key, (absent) -> new HashSet<>());
			LongStream.range(from, from + count)
				.filter((number) -> !issued.add(number))
				.forEach((number) -> this.repeated.add(key + " " + number));
		}

		private void change(State next) {
			this.state = next;
			this.states.add(next);
			this.servers.put(this.server, next);
		}

		@Override
		public Found find() {
			return new Found(this.state.row, this.server, now());
		}

		private Instant now() {
			int behind = this.clocks.computeIfAbsent(this.server, (absent) -> this.random.nextInt(Key.MAX_DRIFT + 1));
			return this.time.minusSeconds(behind);
		}

		@Override
		public void add(boolean here, long version) {
			throw new UnsupportedOperationException("The row always exists");
		}

		@Override
		public void raise(PrimaryRecord former, PrimaryRecord next, long numbers) {
			FailoverGap process = Objects.requireNonNull(this.user);
			if (this.random.nextInt(4) == 0) {
				this.trace.add("a raise to %s is delayed".formatted(next));
				int seconds = this.maxSeconds;
				this.maxSeconds = this.random.nextBoolean() ? 20 : seconds;
				for (int i = 0; i < 4; i++) {
					step();
				}
				this.maxSeconds = seconds;
			}
			if (!this.first.contains(process)) {
				throw new NotTheFirstException();
			}
			if (this.state.row.version() != former.version() || !this.server.equals(next.server())
					|| now().isAfter(next.raisedAt().get(0))) {
				return;
			}
			this.trace.add("%s: raise by %d to %s".formatted(this.time, numbers, next));
			change(this.state.raise(next, numbers));
		}

	}

}
