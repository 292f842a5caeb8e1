// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the index of the documentation is complete, and that {@code llms.txt} is the
 * same index with paths from the root of the repository.
 * <p>
 * {@code -Dleaf.write-llms-text} rewrites {@code llms.txt}.
 */
class DocumentationIndexTests {

	private static final Path INDEX = Path.of("../docs/README.md");

	private static final Path TEXT = Path.of("../llms.txt");

	private static final String COMMAND = "mvn -pl leaf-spring-boot-autoconfigure test -Dtest=DocumentationIndexTests -Dleaf.write-llms-text=true";

	@Test
	void everyPageIsInTheIndex() throws IOException {
		List<Path> listed = MarkdownPage.read(INDEX).links().map(MarkdownPage.Link::target).toList();
		try (Stream<Path> files = Files.list(INDEX.getParent())) {
			assertThat(files.filter((file) -> file.toString().endsWith(".md") && !file.equals(INDEX))).isNotEmpty()
				.allSatisfy((page) -> assertThat(listed).contains(page));
		}
	}

	@Test
	void textForLanguageModelsAgreesWithTheIndex() throws IOException {
		String text = text(Files.readString(INDEX));
		assertThat(text).startsWith("# Leaf\n\n> Leaf issues").contains("](docs/operations.md)", "](README.md)");
		if (Boolean.getBoolean("leaf.write-llms-text")) {
			Files.writeString(TEXT, text);
		}
		assertThat(TEXT).exists();
		assertThat(Files.readString(TEXT)).as("llms.txt differs from docs/README.md. Regenerate it with: %s", COMMAND)
			.isEqualTo(text);
	}

	private static String text(String index) {
		return index.replaceFirst("(?s)^# .*?\\n\\n\\[.*?\\n\\n", "# Leaf\n\n> ")
			.replace("](", "](docs/")
			.replace("](docs/../", "](");
	}

}
