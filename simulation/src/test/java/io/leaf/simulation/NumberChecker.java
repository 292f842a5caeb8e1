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

/**
 * Checks numbers from segments: they were allocated to the process that issues them.
 */
final class NumberChecker extends IdChecker {

	private final SimulatedTable table;

	private final String process;

	private final String key;

	private final LongSet issued;

	NumberChecker(Process process, SimulatedTable table, String key, LongSet issued, boolean ascending) {
		super(process, ascending);
		this.issued = issued;
		this.table = table;
		this.process = process.name();
		this.key = key;
	}

	@Override
	void check(long id, long asked) {
		if (!this.issued.add(id)) {
			violated(id, "was issued before");
		}
		if (!this.table.isAllocated(this.process, this.key, id)) {
			violated(id, "was never allocated to it");
		}
	}

}
