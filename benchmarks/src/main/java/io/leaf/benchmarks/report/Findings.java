// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.util.List;

/**
 * What a part of the run has to say.
 *
 * @param tables for the page
 * @param requirements what was seen of the promises
 */
public record Findings(List<Table> tables, List<Requirement> requirements) {

	/**
	 * Creates findings that nothing is required of.
	 * @param table the table
	 */
	static Findings of(Table table) {
		return new Findings(List.of(table), List.of());
	}

}
