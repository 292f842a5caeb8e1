// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.time.Duration;
import java.util.List;

/**
 * One fault.
 *
 * @param kind which
 * @param hits whose calls it may hold up
 * @param delay how long to wait before it
 * @param length how long it lasts
 * @param begin makes it begin
 * @param end makes it end
 */
record Fault(FaultKind kind, List<CallerStream> hits, Duration delay, Duration length, Step begin, Step end) {

	Fault after(Duration delay) {
		return new Fault(this.kind, this.hits, delay, this.length, this.begin, this.end);
	}

	/**
	 * Something done to the outside world.
	 */
	interface Step {

		void run() throws Exception;

	}

}
