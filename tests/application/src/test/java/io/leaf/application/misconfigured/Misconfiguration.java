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
 * A mistake in the configuration, with the explanation that the user gets. The mistakes
 * are in the file {@code misconfigurations.txt}, in this format:
 *
 * <pre>
 * === title a property, as in application.properties directive: value --- description ---
 * action
 * </pre>
 *
 * @param title a short description of the mistake
 * @param properties the lines of {@code application.properties}
 * @param directives the other conditions, each as {@code name: value}
 * @param text the description and the action that Spring Boot prints, or only the message
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
