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
