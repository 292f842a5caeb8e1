// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.leaf.snowflake.SnowflakeLane;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lanes with their leases, and the local thread's side of keeping them: it adds,
 * replaces and retires lanes, and lets each issue up to the horizon that the store has
 * confirmed for its own claim or, where that claim is remembered, up to what is reserved
 * on disk.
 * <p>
 * Changed by the local thread alone, once the process has started. Any thread may read.
 */
final class LeasedLanes {

	private static final Logger logger = LoggerFactory.getLogger(LeasedLanes.class);

	private final SnowflakeLanes lanes;

	private final Reservation reservation;

	private final Runnable uncovered;

	private volatile List<LeasedLane> all = List.of();

	private long issued;

	private long neededAt;

	// The lane told of last. Its lease may find no other to be exchanged for; then each
	// renewal tries again, and must not be asked for by what it brings about itself.
	private @Nullable LeasedLane toldOf;

	/**
	 * Starts without any.
	 * @param lanes what callers draw from
	 * @param reservation what the local memory covers
	 * @param uncovered called if it does not cover a lane any more, whose lease must then
	 * be exchanged
	 */
	LeasedLanes(SnowflakeLanes lanes, Reservation reservation, Runnable uncovered) {
		this.lanes = lanes;
		this.reservation = reservation;
		this.uncovered = uncovered;
	}

	List<LeasedLane> all() {
		return this.all;
	}

	Set<Long> workerIds() {
		Set<Long> workerIds = new HashSet<>();
		this.all.forEach((leased) -> workerIds.add(leased.lease().workerId()));
		return workerIds;
	}

	/**
	 * Opens the first lane. If claims are remembered, its claim is.
	 */
	void begin(HeldLease lease) {
		boolean remembered = this.reservation.isActive();
		open(lease, remembered, remembered ? this.reservation.reservedUntil() : lease.horizon());
	}

	/**
	 * Opens a further lane.
	 */
	void add(HeldLease lease) {
		this.lanes.clock().raiseTo(lease.floor() + 1);
		open(lease, false, lease.horizon());
		logger.info("Worker ID {} taken as a further lane", lease.workerId());
	}

	private void open(HeldLease lease, boolean remembered, long until) {
		SnowflakeLane lane = this.lanes.add(lease.workerId(), lease.floor(), until);
		List<LeasedLane> all = new ArrayList<>(this.all);
		all.add(new LeasedLane(lease, lane, remembered));
		this.all = List.copyOf(all);
	}

	/**
	 * Retires the lane that was added last, if one lane less, at half its capacity, would
	 * have been enough for a while. To be called once a second.
	 * @param demand whether callers had to wait since the last call
	 * @param idle for how long
	 * @return the lane, which issues nothing any more, or {@code null}
	 */
	@Nullable LeasedLane retire(boolean demand, Duration idle) {
		long now = this.lanes.clock().millis();
		long issued = this.lanes.issued();
		int fewer = this.all.size() - 1;
		if (demand || issued - this.issued > fewer * this.lanes.settings().layout().idsPerSecond() / 2) {
			this.neededAt = now;
		}
		this.issued = issued;
		if (fewer < 1 || now - this.neededAt < idle.toMillis()) {
			return null;
		}
		this.neededAt = now;
		LeasedLane last = this.all.get(fewer);
		this.all = this.all.subList(0, fewer);
		this.lanes.remove(last.lane());
		logger.info("Worker ID {} is given back: {} lanes were enough for {}", last.lease().workerId(), fewer,
				DurationText.of(idle));
		return last;
	}

	/**
	 * Ends a lane and goes on with another claim in its place.
	 */
	void replace(LeasedLane old, HeldLease lease) {
		if (!this.all.contains(old)) {
			// it was retired meanwhile
			add(lease);
			return;
		}
		this.lanes.clock().raiseTo(lease.floor() + 1);
		boolean remembered = old.remembered() && this.reservation.isActive();
		long until = remembered ? this.reservation.begin(lease, this.lanes.clock().millis()) : lease.horizon();
		// Where the memory failed just now it may speak of this claim. It is exchanged in
		// its turn; until then its lane has nothing to issue.
		SnowflakeLane lane = this.lanes.replace(old.lane(), lease.workerId(), lease.floor(),
				Math.max(until, lease.floor()));
		LeasedLane replacement = new LeasedLane(lease, lane, remembered);
		List<LeasedLane> all = new ArrayList<>(this.all);
		all.replaceAll((each) -> (each == old) ? replacement : each);
		this.all = List.copyOf(all);
		logger.info("Worker ID {} takes the place of {}", lease.workerId(), old.lease().workerId());
		if (until < 0) {
			tellOf(replacement);
		}
	}

	/**
	 * Lets the lanes issue as far as is certain by now, and wakes the callers that wait
	 * for it.
	 */
	void extend() {
		for (LeasedLane leased : this.all) {
			SnowflakeLane lane = leased.lane();
			if (lane.isSealed()) {
				continue;
			}
			if (!leased.remembered()) {
				lane.extend(leased.lease().horizon());
			}
			else if (this.reservation.extend(Math.max(this.lanes.clock().millis(), lane.lastUsed()))) {
				lane.extend(this.reservation.reservedUntil());
			}
			else {
				tellOf(leased);
			}
		}
		this.lanes.wakeUp();
	}

	private void tellOf(LeasedLane leased) {
		if (this.toldOf != leased) {
			this.toldOf = leased;
			this.uncovered.run();
		}
	}

	/**
	 * A lease and the lane that issues with it. They belong together for good: a lane
	 * must never get the horizon of another claim.
	 *
	 * @param lease the claim
	 * @param lane the lane
	 * @param remembered whether the lane is held to what the local memory covers
	 */
	record LeasedLane(HeldLease lease, SnowflakeLane lane, boolean remembered) {

	}

}
