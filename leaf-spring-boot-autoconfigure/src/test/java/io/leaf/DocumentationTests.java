// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the English and the Chinese pages have the same content, and that the
 * targets of links between files exist.
 */
class DocumentationTests {

	private static final Path ROOT = Path.of("..");

	private static final Path ENGLISH = ROOT.resolve("docs");

	private static final Path CHINESE = ENGLISH.resolve("zh-CN");

	/**
	 * Pages that consist mostly of tables and exist only in English.
	 */
	private static final Set<String> ENGLISH_ONLY = Set.of("internals.md", "measurements.md");

	@Test
	void everyPageExistsInBothLanguages() throws IOException {
		Set<String> english = names(ENGLISH);
		english.removeAll(ENGLISH_ONLY);
		assertThat(names(CHINESE)).isEqualTo(english).isNotEmpty();
	}

	private static Set<String> names(Path folder) throws IOException {
		try (Stream<Path> files = Files.list(folder)) {
			return files.map((file) -> file.getFileName().toString())
				.filter((name) -> name.endsWith(".md"))
				.collect(Collectors.toCollection(TreeSet::new));
		}
	}

	@ParameterizedTest
	@MethodSource("editions")
	void bothEditionsHaveTheSameBlocksAndNames(Path english, Path chinese) {
		MarkdownPage translation = MarkdownPage.read(chinese);
		MarkdownPage original = MarkdownPage.read(english);
		for (int i = 0; i < Math.min(original.blocks().size(), translation.blocks().size()); i++) {
			String here = original.blocks().get(i);
			String there = translation.blocks().get(i);
			assertThat(MarkdownPage.shape(there)).as("%nin %s%n%s%nin %s%n%s", english, here, chinese, there)
				.isEqualTo(MarkdownPage.shape(here));
		}
		assertThat(translation.blocks()).hasSameSizeAs(original.blocks());
		assertThat(translation.names()).isEqualTo(original.names());
	}

	@ParameterizedTest
	@MethodSource("editions")
	void editionsLinkToEachOtherAndOtherwiseToPagesOfTheSameLanguage(Path english, Path chinese) throws IOException {
		Set<Path> original = targets(english);
		Set<Path> translation = targets(chinese);
		assertThat(original).contains(chinese);
		assertThat(translation).contains(english);
		Map<Path, Path> editions = editionsByEnglish();
		original.remove(chinese);
		translation.remove(english);
		assertThat(translation).isEqualTo(original.stream()
			.map((target) -> editions.getOrDefault(target, target))
			.collect(Collectors.toCollection(TreeSet::new)));
	}

	private static Set<Path> targets(Path file) {
		return MarkdownPage.read(file)
			.links()
			.map(MarkdownPage.Link::target)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	static Stream<Object[]> editions() throws IOException {
		return editionsByEnglish().entrySet().stream().map((pair) -> new Object[] { pair.getKey(), pair.getValue() });
	}

	private static Map<Path, Path> editionsByEnglish() throws IOException {
		Map<Path, Path> editions = new TreeMap<>();
		names(CHINESE).forEach((name) -> editions.put(ENGLISH.resolve(name), CHINESE.resolve(name)));
		pages().stream()
			.filter((page) -> page.endsWith("README.md") || page.endsWith("SECURITY.md"))
			// the pages in docs are in the folders of their editions
			.filter((page) -> !page.startsWith(ENGLISH))
			.forEach((page) -> editions.put(page,
					page.resolveSibling(page.getFileName().toString().replace(".md", ".zh-CN.md"))));
		return editions;
	}

	@Test
	void everyLinkToAFileOfTheRepositoryHasATarget() {
		Map<Path, List<MarkdownPage.Link>> links = new TreeMap<>();
		for (Path page : pages()) {
			links.put(page, MarkdownPage.read(page).links().toList());
		}
		assertThat(links.get(ROOT.resolve("README.md"))).isNotEmpty();
		links.replaceAll((page, all) -> all.stream().filter((link) -> !link.targetExists()).toList());
		links.values().removeIf(List::isEmpty);
		assertThat(links).isEmpty();
	}

	private static List<Path> pages() {
		return MarkdownPage.files(ROOT, ".md");
	}

}
