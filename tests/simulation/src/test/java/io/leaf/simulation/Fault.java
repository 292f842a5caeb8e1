// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.List;

/**
 * The kinds of faults.
 */
enum Fault {

	/** A process is killed. */
	CRASH,

	/** A process shuts down gracefully. */
	STOP,

	/** All threads of a process are paused. */
	PAUSE,

	/** A thread of a process or of a Leaf server is delayed in the middle of its work. */
	THREAD_HELD_UP,

	/**
	 * A wall clock is set forward or back, by up to a day, or by up to three days in a
	 * world with periods.
	 */
	CLOCK_STEP,

	/** The clocks of a process run too fast or too slowly. */
	CLOCK_RATE,

	/** The store is unavailable for all processes. */
	STORE_DOWN,

	/** One process cannot reach the store. */
	LINK_CUT,

	/** A request never arrives. */
	REQUEST_LOST,

	/** A write takes effect, but its answer is lost. */
	ANSWER_LOST,

	/** A write takes effect late, possibly after later writes. */
	WRITE_DELAYED,

	/** A write takes effect, and is sent again later. */
	WRITE_REPEATED,

	/**
	 * A write whose answer was lost is visible for a while, and is then lost in a
	 * failover.
	 */
	UNANSWERED_WRITE_LOST,

	/** The store of the leases returns to an earlier state. */
	STORE_WENT_BACK,

	/** A lease record is deleted. */
	LEASE_RECORD_DELETED,

	/** The database fails over to a replica, which may be in an earlier state. */
	FAILOVER,

	/** A disk is full. */
	DISK_FULL,

	/** A state file is deleted. */
	STATE_FILE_LOST,

	/** A state file is replaced with a copy from another disk. */
	STATE_FILE_COPIED,

	/** A process starts with a state file that holds a claim of another store. */
	STATE_FILE_OF_ANOTHER_STORE,

	/**
	 * Two processes hold the same claim, because one of them runs on an exact copy of the
	 * other's machine.
	 */
	PROCESS_COPIED,

	/**
	 * A process starts while it cannot reach the store, and resumes the claim in its
	 * state file.
	 */
	START_WITHOUT_STORE,

	/** Two processes have the same address. */
	SAME_ADDRESS,

	/** The step of a row is edited, sometimes to an invalid value. */
	STEP_EDITED,

	/** A row is removed, and is added again later. */
	ROW_REMOVED,

	/** A server of Meituan's Leaf allocates from the same row. */
	MEITUAN_LEAF,

	/** A Leaf server is killed, and is started again later. */
	SERVER_CRASH,

	/** A Leaf server shuts down gracefully, and is started again. */
	SERVER_STOP,

	/** All threads of a Leaf server are paused. */
	SERVER_PAUSE,

	/** A Leaf server cannot reach the store. */
	SERVER_LINK_CUT;

	/**
	 * Returns the kinds of faults that may happen in a world.
	 * @param servers whether the world has Leaf servers
	 */
	static List<Fault> kinds(boolean servers) {
		List<Fault> all = List.of(values());
		return servers ? all : all.subList(0, SERVER_CRASH.ordinal());
	}

}
