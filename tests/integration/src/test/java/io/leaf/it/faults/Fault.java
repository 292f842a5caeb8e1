// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.time.Duration;
import java.util.List;

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

	/**
	 * An action on the environment of the processes.
	 */
	interface Step {

		void run() throws Exception;

	}

}
