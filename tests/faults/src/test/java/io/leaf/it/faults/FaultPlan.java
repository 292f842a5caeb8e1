// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaf.test.server.SmallDisk;
import io.leaf.test.server.TcpProxy;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The faults to inject, and when: one {@link Round} after the other.
 */
final class FaultPlan {

	private static final Duration SHORT = Duration.ofSeconds(3);

	/** Longer than a lease or a session lasts. */
	private static final Duration LONG = Processes.LEASE_WINDOW.plusSeconds(3);

	/** Long enough for a start, but shorter than a lease. */
	private static final Duration RESTART = Duration.ofSeconds(6);

	private final Processes processes;

	private final Random random;

	FaultPlan(Processes processes, long seed) {
		this.processes = processes;
		this.random = new Random(seed);
	}

	/**
	 * Returns rounds in which each of the given kinds of fault occurs at least once.
	 */
	List<Round> once(Set<FaultKind> kinds) {
		return eachKindOnce().stream().filter((round) -> kinds.containsAll(round.kinds())).toList();
	}

	private List<Round> eachKindOnce() {
		List<Round> rounds = new ArrayList<>();
		List<Fault> database = database(SHORT);
		List<Fault> zookeeper = zookeeper(SHORT);
		for (int i = 0; i < database.size(); i++) {
			rounds.add(Round.of(database.get(i), zookeeper.get(i)));
		}
		rounds.add(Round.of(databaseUnavailable(), zookeeperUnavailable()));
		rounds.add(Round.of(restartWithoutDatabase()));
		rounds.add(Round.of(restartWithoutZookeeper()));
		rounds.add(processFaults(Duration.ofSeconds(5)));
		return rounds;
	}

	/**
	 * Returns a round drawn at random.
	 */
	Round next() {
		return switch (this.random.nextInt(10)) {
			case 0 -> Round.of(restartWithoutDatabase());
			case 1 -> Round.of(restartWithoutZookeeper());
			case 2 -> Round.of(databaseUnavailable(), zookeeperUnavailable());
			case 3, 4, 5 -> processFaults(Duration.ofSeconds(1 + this.random.nextInt(9)));
			default -> Round.of(any(database(anyLength())), any(zookeeper(anyLength())));
		};
	}

	private Duration anyLength() {
		return Duration.ofMillis(200 + this.random.nextInt(9_000));
	}

	private Fault any(List<Fault> faults) {
		return faults.get(this.random.nextInt(faults.size()));
	}

	private List<Fault> database(Duration length) {
		Predicate<CallerStream> hit = CallerStream::needsDatabase;
		TcpProxy network = this.processes.databaseNetwork;
		return List.of(
				fault(FaultKind.DATABASE_STOPPED, hit, length, this.processes.database::stop,
						this.processes.database::start),
				fault(FaultKind.DATABASE_KILLED, hit, length, this.processes.database::kill,
						this.processes.database::start),
				fault(FaultKind.DATABASE_FROZEN, hit, length, this.processes.database::pause,
						this.processes.database::resume),
				fault(FaultKind.DATABASE_STALLED, hit, length, network::blackhole, network::heal),
				fault(FaultKind.DATABASE_RESET, hit, length, network::reset, network::heal),
				fault(FaultKind.DATABASE_REQUESTS_LOST, hit, length, network::holdRequests, network::heal),
				fault(FaultKind.DATABASE_ANSWERS_LOST, hit, length, network::holdAnswers, network::heal),
				fault(FaultKind.DATABASE_ANSWER_CUT, hit, length, network::dropAnswers, network::heal));
	}

	private Fault databaseUnavailable() {
		return fault(FaultKind.DATABASE_DOWN_LONGER_THAN_LEASES, CallerStream::needsDatabase, LONG,
				this.processes.database::pause, this.processes.database::resume);
	}

	private Fault restartWithoutDatabase() {
		DrawingSlot slot = this.processes.slots.get(1);
		return fault(FaultKind.DATABASE_DOWN_AT_RESTART, CallerStream::needsDatabase, RESTART, () -> {
			this.processes.databaseNetwork.reset();
			slot.kill();
			slot.start();
		}, this.processes.databaseNetwork::heal);
	}

	private List<Fault> zookeeper(Duration length) {
		Predicate<CallerStream> hit = (stream) -> !stream.needsDatabase();
		TcpProxy network = this.processes.zookeeperNetwork;
		return List.of(
				fault(FaultKind.ZOOKEEPER_STOPPED, hit, length, this.processes.zookeeper::stop,
						this.processes.zookeeper::start),
				fault(FaultKind.ZOOKEEPER_KILLED, hit, length, this.processes.zookeeper::kill,
						this.processes.zookeeper::start),
				fault(FaultKind.ZOOKEEPER_FROZEN, hit, length, this.processes.zookeeper::pause,
						this.processes.zookeeper::resume),
				fault(FaultKind.ZOOKEEPER_STALLED, hit, length, network::blackhole, network::heal),
				fault(FaultKind.ZOOKEEPER_RESET, hit, length, network::reset, network::heal),
				fault(FaultKind.ZOOKEEPER_REQUESTS_LOST, hit, length, network::holdRequests, network::heal),
				fault(FaultKind.ZOOKEEPER_ANSWERS_LOST, hit, length, network::holdAnswers, network::heal),
				fault(FaultKind.ZOOKEEPER_ANSWER_CUT, hit, length, network::dropAnswers, network::heal));
	}

	private Fault zookeeperUnavailable() {
		return fault(FaultKind.ZOOKEEPER_DOWN_LONGER_THAN_LEASES, (stream) -> !stream.needsDatabase(), LONG,
				this.processes.zookeeper::kill, this.processes.zookeeper::start);
	}

	private Fault restartWithoutZookeeper() {
		DrawingSlot slot = this.processes.slots.get(0);
		return fault(FaultKind.ZOOKEEPER_DOWN_AT_RESTART, (stream) -> !stream.needsDatabase(), RESTART, () -> {
			this.processes.zookeeper.kill();
			slot.kill();
			slot.start();
		}, this.processes.zookeeper::start);
	}

	/**
	 * Pauses two processes. Kills a third, which returns under another label when the
	 * leases of the paused processes have expired but its own has not, so that it claims
	 * one of the expired leases. Fills the disk of a fourth, also before a start. Changes
	 * the clocks of the last two.
	 */
	private Round processFaults(Duration clockStep) {
		Duration untilLeasesEnd = Processes.LEASE_WINDOW.minusSeconds(2);
		Duration pause = Processes.LEASE_WINDOW.plusSeconds(8);
		List<Track> tracks = new ArrayList<>();
		List<DrawingSlot> slots = this.processes.slots;
		tracks.add(Track.of(slotFault(FaultKind.PROCESS_PAUSED, 2, pause, slots.get(2)::pause, slots.get(2)::resume)));
		tracks.add(Track.of(slotFault(FaultKind.PROCESS_PAUSED, 1, pause, slots.get(1)::pause, slots.get(1)::resume)));
		tracks.add(Track.of(slotFault(FaultKind.PROCESS_KILLED, 0, SHORT, slots.get(0)::kill, () -> {
			slots.get(0).move();
			slots.get(0).start();
		}).after(untilLeasesEnd)));
		if (this.processes.disk != null) {
			tracks.add(Track.of(diskFull(), diskFullAtStart(), killedWithSpaceAgain()));
		}
		if (this.processes.wallClock != null) {
			tracks.add(Track.of(
					clockMoved(FaultKind.WALL_CLOCK_BACK, 4, this.processes.wallClock, clockStep.multipliedBy(-720)),
					clockMoved(FaultKind.WALL_CLOCK_FORWARD, 4, this.processes.wallClock, clockStep)));
			tracks
				.add(Track.of(clockMoved(FaultKind.BOTH_CLOCKS_BACK, 5, this.processes.bothClocks, clockStep.negated()),
						clockMoved(FaultKind.BOTH_CLOCKS_FORWARD, 5, this.processes.bothClocks, clockStep)));
		}
		return new Round(tracks);
	}

	private Fault diskFull() {
		SmallDisk disk = this.processes.disk;
		return slotFault(FaultKind.DISK_FULL, 3, SHORT, disk::fill, disk::free);
	}

	private Fault diskFullAtStart() {
		SmallDisk disk = this.processes.disk;
		DrawingSlot slot = this.processes.slots.get(3);
		// under another label, which has no state file yet
		return slotFault(FaultKind.DISK_FULL_AT_START, 3, SHORT, () -> {
			disk.fill();
			slot.kill();
			slot.move();
		}, slot::start);
	}

	private Fault killedWithSpaceAgain() {
		SmallDisk disk = this.processes.disk;
		DrawingSlot slot = this.processes.slots.get(3);
		return slotFault(FaultKind.PROCESS_KILLED, 3, Duration.ofMillis(200), () -> {
			assertThat(slot.log()).as("output of a process on a full disk").contains("leaf.snowflake.state-dir");
			disk.free();
			slot.kill();
		}, slot::start);
	}

	private Fault clockMoved(FaultKind kind, int slot, FakeClock clock, Duration step) {
		return slotFault(kind, slot, SHORT, () -> clock.set(step), () -> clock.set(Duration.ZERO));
	}

	private Fault slotFault(FaultKind kind, int slot, Duration length, Step begin, Step end) {
		DrawingSlot hit = this.processes.slots.get(slot);
		return fault(kind, (stream) -> stream.slot() == hit, length, begin, end);
	}

	private Fault fault(FaultKind kind, Predicate<CallerStream> hit, Duration length, Step begin, Step end) {
		return new Fault(kind, this.processes.streams.stream().filter(hit).toList(), Duration.ZERO, length, begin, end);
	}

	/**
	 * Tracks that run at the same time.
	 */
	record Round(List<Track> tracks) {

		private static Round of(Fault... faults) {
			return new Round(Stream.of(faults).map(Track::of).toList());
		}

		private Set<FaultKind> kinds() {
			return this.tracks.stream()
				.flatMap((track) -> track.faults().stream())
				.map(Fault::kind)
				.collect(Collectors.toSet());
		}

	}

	/**
	 * Faults that are injected one after the other, and that block other callers than the
	 * faults of the other tracks.
	 */
	record Track(List<Fault> faults) {

		private static Track of(Fault... faults) {
			return new Track(List.of(faults));
		}

	}

	/**
	 * One fault.
	 *
	 * @param kind its kind
	 * @param hits the callers that it may block
	 * @param delay how long to wait before it
	 * @param length how long it lasts
	 * @param begin starts it
	 * @param end ends it
	 */
	record Fault(FaultKind kind, List<CallerStream> hits, Duration delay, Duration length, Step begin, Step end) {

		Fault after(Duration delay) {
			return new Fault(this.kind, this.hits, delay, this.length, this.begin, this.end);
		}

	}

	/**
	 * An action on the environment of the processes.
	 */
	interface Step {

		void run() throws Exception;

	}

}
