// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.leaf.snowflake.SnowflakeLane;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the lanes and their leases. The local thread adds, replaces, retires and extends
 * lanes. A lane may issue IDs up to the horizon that the store has confirmed for the
 * claim of that lane or, if the state file holds this claim, up to the timestamp that is
 * reserved in the file.
 * <p>
 * After startup, only the local thread may make changes. Any thread may read.
 */
final class LeasedLanes {

	private static final Logger logger = LoggerFactory.getLogger(LeasedLanes.class);

	private final SnowflakeLanes lanes;

	private final Reservation reservation;

	private final Runnable uncovered;

	private volatile List<LeasedLane> all = List.of();

	private long issued;

	private long neededAt;

	// The last lane for which 'uncovered' was called. 'uncovered' is not called for this
	// lane again, because each call causes a renewal, which tries to replace the lease of
	// the lane and may be followed by a call of extend(). If extend() called 'uncovered'
	// again, renewals would follow each other without a pause.
	private @Nullable LeasedLane reported;

	/**
	 * Creates an empty list of lanes.
	 * @param lanes the lanes that callers draw from
	 * @param reservation the timestamps that the state file reserves for the first lane
	 * @param uncovered called if no more timestamps can be reserved for a lane in the
	 * state file; the lease of the lane must then be replaced
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
		return this.all.stream().map((leased) -> leased.lease().workerId()).collect(Collectors.toSet());
	}

	void begin(HeldLease lease) {
		boolean reserved = this.reservation.isActive();
		open(lease, reserved, reserved ? this.reservation.reservedUntil() : lease.horizon());
	}

	void add(HeldLease lease) {
		this.lanes.clock().raiseTo(lease.floor() + 1);
		open(lease, false, lease.horizon());
		logger.info("Worker ID {} was added as a further lane", lease.workerId());
	}

	private void open(HeldLease lease, boolean reserved, long until) {
		SnowflakeLane lane = this.lanes.add(lease.workerId(), lease.floor(), until);
		List<LeasedLane> all = new ArrayList<>(this.all);
		all.add(new LeasedLane(lease, lane, reserved));
		this.all = List.copyOf(all);
	}

	/**
	 * Retires the lane that was added last, if half the capacity of the other lanes would
	 * have been enough throughout the given time. To be called once per second.
	 * @param demand whether, since the last call of this method, callers have had to wait
	 * because the lanes had used all timestamps that {@code leaf.snowflake.max-lead}
	 * allows
	 * @param idle for how long half the capacity of the other lanes must have been enough
	 * @return the retired lane, which issues nothing from now on, or {@code null} if none
	 * was retired
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
		logger.info("Worker ID {} is no longer needed: {} lane(s) have been enough for {}", last.lease().workerId(),
				fewer, DurationText.of(idle));
		return last;
	}

	void replace(LeasedLane old, HeldLease lease) {
		if (!this.all.contains(old)) {
			// the old lane has been retired in the meantime
			add(lease);
			return;
		}
		this.lanes.clock().raiseTo(lease.floor() + 1);
		boolean reserved = old.reserved() && this.reservation.isActive();
		long until = reserved ? this.reservation.begin(lease, this.lanes.clock().millis()) : lease.horizon();
		// If begin() failed to write the state file (-1), the file may nevertheless hold
		// the new claim, so the new claim must be replaced as well. Until then, its lane
		// can issue no IDs.
		SnowflakeLane lane = this.lanes.replace(old.lane(), lease.workerId(), lease.floor(),
				Math.max(until, lease.floor()));
		LeasedLane replacement = new LeasedLane(lease, lane, reserved);
		List<LeasedLane> all = new ArrayList<>(this.all);
		all.replaceAll((each) -> (each == old) ? replacement : each);
		this.all = List.copyOf(all);
		logger.info("Worker ID {} replaces worker ID {}", lease.workerId(), old.lease().workerId());
		if (until < 0) {
			reportUncovered(replacement);
		}
	}

	/**
	 * Extends each lane up to its confirmed horizon or, if the lane needs a reservation,
	 * extends the reservation and then the lane. Wakes the callers that wait for an
	 * extension.
	 */
	void extend() {
		for (LeasedLane leased : this.all) {
			try {
				advance(leased);
			}
			// catches even an Error of one lane, so that the other lanes are still
			// extended
			catch (Throwable ex) {
				logger.error("The lane of worker ID {} was not extended; trying again", leased.lease().workerId(), ex);
			}
		}
		this.lanes.wakeUp();
	}

	private void advance(LeasedLane leased) {
		SnowflakeLane lane = leased.lane();
		if (lane.isSealed()) {
			return;
		}
		if (!leased.reserved()) {
			lane.extend(leased.lease().horizon());
		}
		else if (this.reservation.extend(Math.max(this.lanes.clock().millis(), lane.lastUsed()))) {
			lane.extend(this.reservation.reservedUntil());
		}
		else {
			reportUncovered(leased);
		}
	}

	private void reportUncovered(LeasedLane leased) {
		if (this.reported != leased) {
			this.reported = leased;
			this.uncovered.run();
		}
	}

	/**
	 * A lease and the lane that issues IDs with the lease. They belong together
	 * permanently, because a lane must never get the horizon of another claim.
	 *
	 * @param lease the claim
	 * @param lane the lane
	 * @param reserved whether the lane may use only timestamps that are reserved in the
	 * state file
	 */
	record LeasedLane(HeldLease lease, SnowflakeLane lane, boolean reserved) {

	}

}
