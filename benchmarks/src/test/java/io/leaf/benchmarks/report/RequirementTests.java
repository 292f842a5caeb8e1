// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.util.List;

import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Requirement}.
 */
class RequirementTests {

	private static Requirement requirement(Bound bound, double limit, Double... results) {
		return new Requirement("work", 2, bound, limit, Unit.RATIO, List.of(results));
	}

	@Test
	void medianDecidesWhetherARequirementIsMet() {
		assertThat(requirement(Bound.AT_LEAST, 0.95, 0.5, 0.96, 0.97).isMet()).isTrue();
		assertThat(requirement(Bound.AT_LEAST, 0.95, 0.5, 0.94, 0.97).isMet()).isFalse();
		assertThat(requirement(Bound.AT_MOST, 2, 1.0, 2.0, 9.0).isMet()).isTrue();
		assertThat(requirement(Bound.AT_MOST, 2, 1.0, 2.1, 9.0).isMet()).isFalse();
	}

	@Test
	void valueEqualToTheLimitIsNotLess() {
		assertThat(requirement(Bound.LESS_THAN, 1, 1.0).isMet()).isFalse();
		assertThat(requirement(Bound.LESS_THAN, 1, 0.99).isMet()).isTrue();
	}

	@Test
	void requirementWithoutResultsIsNotMet() {
		assertThat(requirement(Bound.AT_LEAST, 0.95).isMet()).isFalse();
	}

	@Test
	void tableShowsLimitsAndResults() {
		Table table = Requirement.table(List.of(requirement(Bound.AT_LEAST, 0.95, 0.9, 1.0, 1.2),
				requirement(Bound.AT_MOST, 2, 3.0), requirement(Bound.AT_LEAST, 20)));
		assertThat(table.rows()).containsExactly(
				List.of("work", "2", "at least 0.95 ×", "1.000 ×", "0.900 – 1.200", "yes"),
				List.of("work", "2", "at most 2 ×", "3.000 ×", "3.000 – 3.000", "**no**"),
				List.of("work", "2", "at least 20 ×", "not measured", "", ""));
	}

	@Test
	void callsThatAllocatedNothingInAnyRoundShareARow() {
		Table table = Requirement.table(List.of(requirement(Bound.AT_MOST, 2, 1.0),
				Requirement.noAllocation("a", 1, List.of(0.0, 0.0)), Requirement.noAllocation("a", 8, List.of(0.0)),
				Requirement.noAllocation("b", 1, List.of(0.0, 24.0, 0.0)), Requirement.noAllocation("b", 2, List.of()),
				Requirement.noAllocation("b", 8, List.of(24.0)), Requirement.noAllocation("c", 1, List.of(0.0))));
		assertThat(table.rows()).containsExactly(List.of("work", "2", "at most 2 ×", "1.000 ×", "1.000 – 1.000", "yes"),
				List.of("memory that a call allocates, not counting an array that it returns: a; c", "1, 8",
						"at most 0 B", "0 B", "0 – 0", "yes"),
				List.of("memory that a call allocates, not counting an array that it returns: b", "1", "at most 0 B",
						"0 B", "0 – 24", "yes"),
				List.of("memory that a call allocates, not counting an array that it returns: b", "2", "at most 0 B",
						"not measured", "", ""),
				List.of("memory that a call allocates, not counting an array that it returns: b", "8", "at most 0 B",
						"24 B", "24 – 24", "**no**"));
	}

	@Test
	void singleCallThatAllocatedNothingKeepsItsName() {
		assertThat(Requirement.table(List.of(Requirement.noAllocation("a", 1, List.of(0.0)))).rows())
			.containsExactly(List.of("memory that a call allocates, not counting an array that it returns: a", "1",
					"at most 0 B", "0 B", "0 – 0", "yes"));
	}

	@Test
	void everyUnitIsFormatted() {
		Table table = Requirement
			.table(List.of(new Requirement("wait", 10, Bound.AT_MOST, 0.5, Unit.SECONDS, List.of(0.25)),
					new Requirement("late", 10, Bound.LESS_THAN, 4, Unit.PERCENT, List.of(4.0)),
					new Requirement("failed", 10, Bound.AT_MOST, 0, Unit.CALLS, List.of(1.0))));
		assertThat(table.rows()).containsExactly(
				List.of("wait", "10", "at most 0.5 s", "0.250 s", "0.250 – 0.250", "yes"),
				List.of("late", "10", "less than 4 %", "4.00 %", "4.00 – 4.00", "**no**"),
				List.of("failed", "10", "at most 0", "1", "1 – 1", "**no**"));
	}

}
