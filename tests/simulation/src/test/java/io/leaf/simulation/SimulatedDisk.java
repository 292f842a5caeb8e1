// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import io.leaf.snowflake.lease.LeaseMemory.RememberedLease;
import org.jspecify.annotations.Nullable;

/**
 * A disk with a state file on it. It outlives the processes that use it.
 */
final class SimulatedDisk {

	private @Nullable RememberedLease content;

	private boolean full;

	private boolean copied;

	private boolean ofAnotherStore;

	private @Nullable Process user;

	@Nullable RememberedLease content() {
		return this.content;
	}

	/**
	 * Returns whether what it holds was written elsewhere.
	 */
	boolean isCopied() {
		return this.copied;
	}

	/**
	 * Returns whether what it holds is a claim of another store.
	 */
	boolean isOfAnotherStore() {
		return this.ofAnotherStore;
	}

	void write(@Nullable RememberedLease content) {
		this.content = content;
		this.copied = false;
		this.ofAnotherStore = false;
	}

	/**
	 * Puts a file in place that was written elsewhere.
	 */
	void copyFrom(SimulatedDisk other) {
		this.content = other.content;
		this.copied = true;
	}

	/**
	 * Puts a file in place that a process has left which used another store.
	 */
	void writeForAnotherStore(RememberedLease content) {
		write(content);
		this.ofAnotherStore = true;
	}

	/**
	 * Returns whether what it holds is good for the process that uses it.
	 */
	boolean isUsable() {
		return this.content != null && !isCopied() && !isOfAnotherStore();
	}

	/**
	 * Returns whether a process uses it.
	 */
	boolean isLocked() {
		return this.user != null && this.user.isAlive();
	}

	boolean isFull() {
		return this.full;
	}

	void full(boolean isFull) {
		this.full = isFull;
	}

	/**
	 * Locks the file.
	 * @return whether no other process that is alive has locked it
	 */
	boolean lock(Process process) {
		if (this.user != process && isLocked()) {
			return false;
		}
		this.user = process;
		return true;
	}

	void unlock(Process process) {
		if (this.user == process) {
			this.user = null;
		}
	}

}
