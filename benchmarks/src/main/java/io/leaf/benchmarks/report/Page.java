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

package io.leaf.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

	static String replace(String page, String name, String content) {
		String begin = "<!-- begin %s -->".formatted(name);
		String end = "<!-- end %s -->".formatted(name);
		int from = page.indexOf(begin);
		int to = page.indexOf(end, Math.max(from, 0));
		if (from < 0 || to < 0) {
			throw new IllegalStateException("The page has no section '%s'".formatted(name));
		}
		return page.substring(0, from + begin.length()) + "\n\n" + content + "\n" + page.substring(to);
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
