// SPDX-License-Identifier: Apache-2.0

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
