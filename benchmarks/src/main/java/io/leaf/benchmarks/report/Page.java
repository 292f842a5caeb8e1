// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page in Markdown whose sections between {@code <!-- begin NAME -->} and
 * {@code <!-- end NAME -->} are written by programs. The rest is left as it is.
 */
final class Page {

	private final Path file;

	/**
	 * Creates a page.
	 * @param file the page, which must exist
	 */
	Page(Path file) {
		this.file = file;
	}

	/**
	 * Puts a table into the section of its name.
	 * @param table the table
	 * @throws IOException if the page cannot be read or written
	 * @throws IllegalStateException if the page has no such section
	 */
	void write(Table table) throws IOException {
		Files.writeString(this.file, replace(Files.readString(this.file), table.name(), markdown(table)));
	}

	/**
	 * Returns a table with the rows that its section has already, those in their places
	 * that the table brings anew.
	 * @param table what was measured
	 * @param keyCells how many cells, from the first, tell a row from the others
	 * @throws IOException if the page cannot be read
	 */
	Table merged(Table table, int keyCells) throws IOException {
		Map<List<String>, List<String>> rows = new LinkedHashMap<>();
		rows(section(Files.readString(this.file), table.name()))
			.forEach((row) -> rows.put(row.subList(0, keyCells), row));
		table.rows().forEach((row) -> rows.put(row.subList(0, keyCells), row));
		return new Table(table.name(), table.columns(), List.copyOf(rows.values()));
	}

	private static List<List<String>> rows(String section) {
		return section.lines()
			.filter((line) -> line.startsWith("| "))
			.skip(2)
			.map((line) -> Stream.of(line.substring(2, line.length() - 2).split(" \\| ", -1))
				.map((cell) -> cell.replace("\\|", "|"))
				.toList())
			.toList();
	}

	private static String section(String page, String name) {
		int from = page.indexOf(begin(name));
		int to = page.indexOf(end(name), Math.max(from, 0));
		if (from < 0 || to < 0) {
			throw new IllegalStateException("The page has no section '%s'".formatted(name));
		}
		return page.substring(from + begin(name).length(), to);
	}

	private static String begin(String name) {
		return "<!-- begin %s -->".formatted(name);
	}

	private static String end(String name) {
		return "<!-- end %s -->".formatted(name);
	}

	static String replace(String page, String name, String content) {
		String section = begin(name) + section(page, name) + end(name);
		return page.replace(section, begin(name) + "\n\n" + content + "\n" + end(name));
	}

	static String markdown(Table table) {
		return Stream
			.concat(Stream.of(line(table.columns()), line(table.columns().stream().map((column) -> "---").toList())),
					table.rows().stream().map(Page::line))
			.collect(Collectors.joining());
	}

	private static String line(List<String> cells) {
		return cells.stream()
			.map((cell) -> cell.replace("|", "\\|").replace("\n", " "))
			.collect(Collectors.joining(" | ", "| ", " |\n"));
	}

}
