// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.misconfigured;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.springframework.core.io.ClassPathResource;

/**
 * A mistake in the configuration, and what the user is told. They stand in the file
 * {@code misconfigurations.txt}, each in parts:
 *
 * <pre>
 * === in words
 * a property, as in application.properties
 * directive: value
 * ---
 * description
 * ---
 * action
 * </pre>
 *
 * @param title the mistake in words
 * @param properties the lines of {@code application.properties}
 * @param directives what else there is, each as {@code name: value}
 * @param text description and action, as Spring Boot prints them, or the message alone
 */
record Misconfiguration(String title, List<String> properties, List<String> directives, String text) {

	static List<Misconfiguration> all() {
		try {
			String table = new ClassPathResource("misconfigurations.txt", Misconfiguration.class)
				.getContentAsString(StandardCharsets.UTF_8);
			return Arrays.stream(table.split("(?m)^=== ")).skip(1).map(Misconfiguration::of).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Misconfiguration of(String entry) {
		String[] parts = entry.split("(?m)^---\\n");
		List<String> lines = new ArrayList<>(parts[0].lines().toList());
		String title = lines.remove(0);
		List<String> directives = lines.stream().filter((line) -> line.matches("[a-z]+: .*")).toList();
		lines.removeAll(directives);
		String text = (parts.length == 3)
				? "Description:\n\n%s\n\nAction:\n\n%s".formatted(parts[1].strip(), parts[2].strip())
				: parts[1].strip();
		return new Misconfiguration(title, lines, directives, text);
	}

	/**
	 * Returns the values of a directive, in the order of the file.
	 */
	List<String> values(String directive) {
		String start = directive + ": ";
		return this.directives.stream()
			.filter((line) -> line.startsWith(start))
			.map((line) -> line.substring(start.length()))
			.toList();
	}

	@Override
	public String toString() {
		return this.title;
	}

}
