// SPDX-License-Identifier: Apache-2.0

package io.leaf.application;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the marked parts of the applications, in this module and in
 * {@code tests/integrations}, equal the snippets of the documentation. The marks are the
 * comments {@code from docs/page.md} and {@code end of docs/page.md}, each on its own
 * line. The code between them must be part of one code block of that page, apart from
 * indentation and empty lines.
 */
class SnippetsTests {

	private static final Path ROOT = Path.of("../..");

	private static final List<Path> SOURCES = List.of(Path.of("src", "test"), Path.of("../integrations/src/test"));

	private static final Pattern SNIPPET = Pattern
		.compile("(?s)(?://|#|--) from (\\S+\\.md)\\n(.*?)(?://|#|--) end of \\1\\n");

	private static final Pattern APPLICATION = Pattern.compile("io/leaf/(?:application|integrations)/(\\w+)/");

	private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\w+\\n(.*?)^```$");

	@ParameterizedTest
	@MethodSource("snippets")
	void aSnippetEqualsTheCodeOnItsPage(Path source, String page, String snippet) throws IOException {
		List<String> blocks = BLOCK.matcher(Files.readString(ROOT.resolve(page)))
			.results()
			.map((block) -> normalized(block.group(1)))
			.toList();
		assertThat(blocks).as("code blocks of %s, for %s", page, source)
			.anyMatch((block) -> block.contains(normalized(snippet)));
	}

	static List<Object[]> snippets() throws IOException {
		return sources().flatMap(SnippetsTests::snippets).toList();
	}

	private static Stream<Object[]> snippets(Path source) {
		try {
			Matcher snippets = SNIPPET.matcher(Files.readString(source));
			return snippets.results()
				.map((snippet) -> new Object[] { source, snippet.group(1), snippet.group(2) })
				.toList()
				.stream();
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Stream<Path> sources() throws IOException {
		List<Path> sources = new ArrayList<>();
		for (Path folder : SOURCES) {
			try (Stream<Path> files = Files.walk(folder)) {
				files.filter(Files::isRegularFile).forEach(sources::add);
			}
		}
		return sources.stream();
	}

	private static String normalized(String code) {
		return code.lines()
			.map(String::strip)
			.filter((line) -> !line.isEmpty())
			.collect(Collectors.joining("\n", "\n", "\n"));
	}

	@Test
	void everyApplicationHasASnippet() throws IOException {
		Set<String> withSnippets = new TreeSet<>();
		Set<String> applications = new TreeSet<>();
		for (Path source : sources().toList()) {
			Matcher application = APPLICATION.matcher(source.toString());
			if (application.find()) {
				applications.add(application.group(1));
				if (snippets(source).findAny().isPresent()) {
					withSnippets.add(application.group(1));
				}
			}
		}
		assertThat(withSnippets).isEqualTo(applications).hasSizeGreaterThanOrEqualTo(14);
	}

	@Test
	void everyMarkBelongsToASnippet() throws IOException {
		for (Path source : sources().toList()) {
			String text = Files.readString(source);
			assertThat(Pattern.compile("(?m)^\\s*(//|#|--) (from|end of) \\S+\\.md$").matcher(text).results().count())
				.as("marks in %s", source)
				.isEqualTo(2 * snippets(source).count());
		}
	}

}
