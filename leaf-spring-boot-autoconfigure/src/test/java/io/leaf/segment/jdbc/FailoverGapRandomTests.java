// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
 * Tests {@link FailoverGap} with random failovers, also to servers that lack earlier
 * raises of the counters, and with processes whose gaps differ.
 */
class FailoverGapRandomTests {

	private static final int RUNS = Boolean.getBoolean("leaf.test.full") ? 100_000 : 20_000;

	private static final List<Long> GAPS = List.of(10L, 13L, 30L, 100L);

	@BeforeEach
	void doNotLogEachIncrease() {
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
	void noNumberIsAllocatedTwiceIfANewServerLacksFewerNumbersThanTheGap() {
		for (long seed = 0; seed < RUNS; seed++) {
			World world = new World(seed);
			for (int step = 0; step < 20; step++) {
				world.step();
				assertThat(world.repeated).as("seed %d: %s", seed, world.trace).isEmpty();
			}
		}
	}

	/**
	 * The content of a database server at a certain time. A failover leads to a server
	 * that contains the state of any earlier time of any earlier server.
	 *
	 * @param former the state before the last change, or {@code null}
	 * @param row the row of {@code leaf_primary}
	 * @param order the counter of a key whose row has always existed
	 * @param user the counter of a key whose row is added, or 0
	 * @param orders how many numbers of the first key have been allocated
	 * @param users how many numbers of the second key have been allocated
	 */
	private record State(@Nullable State former, PrimaryRecord row, long order, long user, long orders, long users) {

		State with(PrimaryRecord next, long numbers) {
			return new State(this, next, this.order + numbers, (this.user > 0) ? this.user + numbers : 0, this.orders,
					this.users);
		}

		Stream<Long> versions() {
			return Stream.iterate(this, (state) -> state != null, State::former).map((state) -> state.row.version());
		}

	}

	private static final class Process {

		private final FailoverGap gap;

		private final Set<Long> versions = new HashSet<>();

		Process(long gap, Random random) {
			this.gap = new FailoverGap(gap, random::nextLong);
		}

	}

	private static final class World implements Primary {

		private final Random random;

		private final List<Process> processes = new ArrayList<>();

		private final List<State> states = new ArrayList<>();

		private final Set<Long> raises = new HashSet<>();

		private final Set<Long> orders = new HashSet<>();

		private final Set<Long> users = new HashSet<>();

		private final List<Long> repeated = new ArrayList<>();

		private final List<String> trace = new ArrayList<>();

		private State state = new State(null, new PrimaryRecord("0", 0, 0, 1, List.of()), 1, 0, 0, 0);

		private int server;

		/**
		 * The processes of which one must be the first to use the present server, because
		 * they have seen all raises that the server lacks.
		 */
		private List<Process> first;

		World(long seed) {
			this.random = new Random(seed);
			Stream.generate(() -> new Process(pick(GAPS), this.random))
				.limit(1 + this.random.nextInt(3))
				.forEach(this.processes::add);
			this.first = this.processes;
			this.states.add(this.state);
		}

		private <T> T pick(List<T> choices) {
			return choices.get(this.random.nextInt(choices.size()));
		}

		void step() {
			if (this.random.nextInt(3) == 0) {
				failOver(pick(this.states));
			}
			else {
				Process process = pick(this.first);
				this.first = this.processes;
				process.gap.follow(this);
				process.versions.add(this.state.row.version());
				allocate(process);
			}
		}

		private void failOver(State next) {
			long lacking = Math.max(this.orders.size() - next.orders, this.users.size() - next.users);
			Set<Long> lost = new HashSet<>(this.raises);
			next.versions().forEach(lost::remove);
			List<Process> aware = this.processes.stream()
				.filter((process) -> process.versions.containsAll(lost))
				.toList();
			if (lacking < GAPS.get(0) && !aware.isEmpty()) {
				this.server++;
				this.state = next;
				this.first = aware;
				this.trace.add("failover to " + next.row + ", lacking " + lacking);
			}
		}

		private void allocate(Process process) {
			State old = this.state;
			long count = 1 + this.random.nextInt(5);
			if (this.random.nextBoolean()) {
				change(new State(old, old.row, old.order + count, old.user, old.orders + count, old.users));
				issue(this.orders, old.order, count);
			}
			else {
				long user = (old.user > 0) ? old.user : process.gap.firstNumber(1);
				change(new State(old, old.row, old.order, user + count, old.orders, old.users + count));
				issue(this.users, user, count);
			}
		}

		private void issue(Set<Long> issued, long from, long count) {
			this.trace.add("%d numbers from %d".formatted(count, from));
			LongStream.range(from, from + count).filter((number) -> !issued.add(number)).forEach(this.repeated::add);
		}

		private void change(State next) {
			this.state = next;
			this.states.add(next);
		}

		@Override
		public Found find() {
			return new Found(this.state.row, String.valueOf(this.server), Instant.EPOCH);
		}

		@Override
		public void add(boolean here, long version) {
			throw new UnsupportedOperationException("The row always exists");
		}

		@Override
		public void raise(PrimaryRecord former, PrimaryRecord next, long numbers) {
			this.trace.add("raise by %d to %s".formatted(numbers, next));
			this.raises.add(next.version());
			change(this.state.with(next, numbers));
		}

	}

}
