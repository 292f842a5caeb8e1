// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

/**
 * What may go wrong.
 */
enum Fault {

	/** A process ends without another word. */
	CRASH,

	/** A process ends in order. */
	STOP,

	/** All threads of a process stand still. */
	PAUSE,

	/** A thread is held up in the middle of what it does. */
	THREAD_HELD_UP,

	/** A wall clock is set, by up to a day, forward or back. */
	CLOCK_STEP,

	/** The clocks of a process run too fast or too slowly. */
	CLOCK_RATE,

	/** The store is down for everybody. */
	STORE_DOWN,

	/** One process does not reach the store. */
	LINK_CUT,

	/** A request never arrives. */
	REQUEST_LOST,

	/** A write takes effect, and nobody is told. */
	ANSWER_LOST,

	/** A write takes effect after later ones. */
	WRITE_DELAYED,

	/** A write takes effect, and is sent again later. */
	WRITE_REPEATED,

	/** A write whose answer was lost is seen for a while, and lost in a failover. */
	UNANSWERED_WRITE_LOST,

	/** The store of the leases goes on with an older state. */
	STORE_WENT_BACK,

	/** The register of a lease is deleted. */
	REGISTER_DELETED,

	/** The database goes on with an older state. */
	FAILOVER,

	/** A disk is full. */
	DISK_FULL,

	/** A state file is gone. */
	STATE_FILE_LOST,

	/** A state file is found where another process had written it. */
	STATE_FILE_COPIED,

	/** A state file is found that holds a claim of another store. */
	STATE_FILE_OF_ANOTHER_STORE,

	/**
	 * A claim has two processes: one went on from an exact copy of the other's machine.
	 */
	PROCESS_COPIED,

	/** A process starts while it does not reach the store, and finds a state file. */
	START_WITHOUT_STORE,

	/** Two processes have the same address. */
	SAME_ADDRESS,

	/** The step of a row is edited, to nonsense included. */
	STEP_EDITED,

	/** A row is removed, and added again. */
	ROW_REMOVED,

	/** A server of Meituan's Leaf allocates from the same row. */
	DEPLOYED_LEAF

}
