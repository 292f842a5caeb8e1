// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import org.jspecify.annotations.Nullable;

/**
 * A disk with a state file. The disk outlives the processes that use it.
 */
final class SimulatedDisk {

	private @Nullable SavedLease content;

	private boolean full;

	private boolean copied;

	private boolean ofAnotherStore;

	private @Nullable Process user;

	@Nullable SavedLease content() {
		return this.content;
	}

	/**
	 * Returns whether the file was copied from another disk.
	 */
	boolean isCopied() {
		return this.copied;
	}

	/**
	 * Returns whether the file holds a claim of another store.
	 */
	boolean isOfAnotherStore() {
		return this.ofAnotherStore;
	}

	void write(@Nullable SavedLease content) {
		this.content = content;
		this.copied = false;
		this.ofAnotherStore = false;
	}

	/**
	 * Replaces the file with the file of another disk.
	 */
	void copyFrom(SimulatedDisk other) {
		this.content = other.content;
		this.copied = true;
	}

	/**
	 * Replaces the file with that of a process that used another store.
	 */
	void writeForAnotherStore(SavedLease content) {
		write(content);
		this.ofAnotherStore = true;
	}

	/**
	 * Returns whether the file is valid for the process that uses it.
	 */
	boolean isUsable() {
		return this.content != null && !isCopied() && !isOfAnotherStore();
	}

	/**
	 * Returns whether a live process uses the file.
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
	 * @return whether no other live process has locked it
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
