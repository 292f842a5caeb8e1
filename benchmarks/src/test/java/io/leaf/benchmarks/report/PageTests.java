// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Page}.
 */
class PageTests {

	private static final String PAGE = """
			Before
			<!-- begin tail -->
			old
			<!-- end tail -->
			Between
			<!-- begin run -->
			<!-- end run -->
			After
			""";

	@Test
	void onlyTheSectionOfTheNameIsReplaced() {
		assertThat(Page.replace(PAGE, "tail", "new\n")).isEqualTo("""
				Before
				<!-- begin tail -->

				new

				<!-- end tail -->
				Between
				<!-- begin run -->
				<!-- end run -->
				After
				""");
	}

	@Test
	void replacingAgainChangesNothing() {
		String once = Page.replace(PAGE, "run", "new\n");
		assertThat(Page.replace(once, "run", "new\n")).isEqualTo(once);
	}

	@Test
	void aPageWithoutTheSectionIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> Page.replace(PAGE, "scale", "new"))
			.withMessageContaining("'scale'");
	}

	@Test
	void aSectionThatDoesNotEndIsRefused() {
		assertThatIllegalStateException()
			.isThrownBy(() -> Page.replace("<!-- end run -->\n<!-- begin run -->", "run", "new"));
	}

	@Test
	void aTableIsWrittenLineByLine() {
		Table table = new Table("tail", List.of("source", "p99"), List.of(List.of("a | b", "1"), List.of("`c`", "2")));
		assertThat(Page.markdown(table)).isEqualTo("""
				| source | p99 |
				| --- | --- |
				| a \\| b | 1 |
				| `c` | 2 |
				""");
	}

	@Test
	void whatIsNotMeasuredAgainStays(@TempDir Path folder) throws Exception {
		Path file = Files.writeString(folder.resolve("page.md"), PAGE);
		Page page = new Page(file);
		List<String> columns = List.of("work", "threads", "seen");
		page.write(new Table("run", columns, List.of(List.of("a | b", "1", "old"), List.of("a | b", "2", ""))));
		Table merged = page
			.merged(new Table("run", columns, List.of(List.of("a | b", "1", "new"), List.of("c", "1", "new"))), 2);
		assertThat(merged.rows()).containsExactly(List.of("a | b", "1", "new"), List.of("a | b", "2", ""),
				List.of("c", "1", "new"));
	}

	@Test
	void thePageOfTheProjectHasASectionForEveryTable(@TempDir Path folder) throws Exception {
		Path copy = Files.copy(Path.of("../docs/performance.md"), folder.resolve("performance.md"));
		Page page = new Page(copy);
		for (String name : List.of("run", "requirements", "segment-throughput", "snowflake-throughput", "sustained",
				"tail", "allocation", "first-ids", "first-minute", "first-minute-buffers", "many-keys", "start-up")) {
			page.write(new Table(name, List.of("a"), List.of(List.of(name))));
			assertThat(copy).content().contains("| " + name + " |");
		}
	}

}
