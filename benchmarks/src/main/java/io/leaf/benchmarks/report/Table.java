// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Formatted results.
 *
 * @param name the name, in lower case with dashes
 * @param columns the headings
 * @param rows the cells; each row has as many cells as there are headings
 */
public record Table(String name, List<String> columns, List<List<String>> rows) {

	private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

	static void write(Path file, List<Table> tables) throws IOException {
		Files.writeString(file, MAPPER.writeValueAsString(tables) + "\n");
	}

	static List<Table> read(Path file) throws IOException {
		return MAPPER.readValue(Files.readString(file), new TypeReference<>() {
		});
	}

	/**
	 * Returns a table that has the rows of both tables.
	 */
	Table plus(Table other) {
		return new Table(this.name, this.columns, Stream.concat(this.rows.stream(), other.rows.stream()).toList());
	}

	String markdown() {
		return Stream
			.concat(Stream.of(this.columns, Collections.nCopies(this.columns.size(), "---")), this.rows.stream())
			.map(Table::line)
			.collect(Collectors.joining());
	}

	private static String line(List<String> cells) {
		return cells.stream()
			.map((cell) -> cell.replace("|", "\\|").replace("\n", " "))
			.collect(Collectors.joining(" | ", "| ", " |\n"));
	}

}
