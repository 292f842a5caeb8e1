/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.simulation;

import java.util.Arrays;

/**
 * Sees every ID that one process draws.
 */
abstract class IdChecker {

	private final Process process;

	private final boolean ascending;

	private long last = -1;

	/**
	 * Creates a checker.
	 * @param ascending whether an ID must be larger than all that calls have returned
	 * before it was asked for
	 */
	IdChecker(Process process, boolean ascending) {
		this.process = process;
		this.ascending = ascending;
	}

	/**
	 * Notes that a call begins.
	 */
	final Call begin() {
		return new Call(this.last, this.process.world().now());
	}

	/**
	 * Checks what a call has returned.
	 * @param begun what {@link #begin()} said when it began
	 */
	final void end(Call begun, long... ids) {
		if (this.process.world().trace().isKept()) {
			this.process.trace("draws " + Arrays.toString(ids));
		}
		long before = begun.last;
		for (long id : ids) {
			if (this.ascending && id <= before) {
				violated(id, "is not larger than " + before);
			}
			before = id;
			this.last = Math.max(this.last, id);
			check(id, begun.time);
		}
	}

	final void violated(long id, String how) {
		this.process.world().violated("%s drew %d, which %s".formatted(this.process.name(), id, how));
	}

	/**
	 * Checks that an ID is new, and what else must hold for it.
	 * @param asked when the call began that has drawn it
	 */
	abstract void check(long id, long asked);

	/**
	 * The beginning of a call.
	 *
	 * @param last the largest ID that earlier calls have returned
	 * @param time the time, in true nanoseconds
	 */
	record Call(long last, long time) {

	}

}
