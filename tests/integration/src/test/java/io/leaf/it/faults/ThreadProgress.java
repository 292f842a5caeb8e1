// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import io.leaf.it.faults.Progress.Number;

/**
 * The progress of one thread, written by that thread alone.
 */
record ThreadProgress(Progress progress, IdMode mode, int thread) {

	void add(Number number, long count) {
		set(number, this.progress.get(this.mode, this.thread, number) + count);
	}

	void set(Number number, long value) {
		this.progress.set(this.mode, this.thread, number, value);
	}

}
