// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Table}.
 */
class TableTests {

	private final Table table = new Table("latency", List.of("generator", "p99"),
			List.of(List.of("a | b", "1"), List.of("`c`", "2 µs")));

	@Test
	void tableIsFormattedAsMarkdown() {
		assertThat(this.table.markdown()).isEqualTo("""
				| generator | p99 |
				| --- | --- |
				| a \\| b | 1 |
				| `c` | 2 µs |
				""");
	}

	@Test
	void pageHasAHeadingForEachTable() {
		Table run = new Table("run", List.of("part"), List.of(List.of("latency")));
		assertThat(Report.markdown(List.of(run, this.table))).isEqualTo("""
				## run

				| part |
				| --- |
				| latency |

				## latency

				| generator | p99 |
				| --- | --- |
				| a \\| b | 1 |
				| `c` | 2 µs |
				""");
	}

	@Test
	void tablesAreReadAsTheyWereWritten(@TempDir Path folder) throws Exception {
		List<Table> tables = List.of(this.table, new Table("empty", List.of("a"), List.of()));
		Table.write(folder.resolve("latency.json"), tables);
		assertThat(Table.read(folder.resolve("latency.json"))).isEqualTo(tables);
	}

	@Test
	void rowsOfTwoTablesAreJoined() {
		Table other = new Table("latency", List.of("generator", "p99"), List.of(List.of("d", "3")));
		assertThat(this.table.plus(other).rows()).containsExactly(List.of("a | b", "1"), List.of("`c`", "2 µs"),
				List.of("d", "3"));
	}

}
