// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The figures as files.
 */
final class JsonFiles {

	private static final JsonMapper MAPPER = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

	private JsonFiles() {
	}

	/**
	 * Writes JMH's results, without what concerns this one machine's folders.
	 * @param file the file to write
	 * @param results the results
	 * @throws IOException if the file cannot be written
	 */
	static void write(Path file, Collection<RunResult> results) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
			ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
		}
		JsonNode tree = MAPPER.readTree(bytes.toByteArray());
		for (JsonNode result : tree) {
			withoutFolders((ObjectNode) result);
		}
		Files.writeString(file, MAPPER.writeValueAsString(tree) + "\n");
	}

	private static void withoutFolders(ObjectNode result) {
		result.remove("jvm");
		ArrayNode arguments = result.putArray("jvmArgs");
		Settings.jvmArgs().forEach(arguments::add);
	}

	/**
	 * Writes a table into the file of its name.
	 * @param folder the folder of the file
	 * @param table the table
	 * @throws IOException if the file cannot be written
	 */
	static void write(Path folder, Table table) throws IOException {
		Files.writeString(folder.resolve(table.name() + ".json"), MAPPER.writeValueAsString(table) + "\n");
	}

}
