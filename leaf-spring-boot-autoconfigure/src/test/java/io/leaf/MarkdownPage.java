// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page of the documentation, parsed to compare its editions in two languages, and to
 * check its links, its code and its style.
 *
 * @param file the file of the page
 * @param text the whole text
 */
public record MarkdownPage(Path file, String text) {

	private static final String CODE = "^ *```[\\s\\S]*?^ *```$";

	private static final String ITEM = " *(?:-|\\d+\\.) ";

	/**
	 * Further lines of the same paragraph or list item: the editions wrap differently.
	 */
	private static final String CONTINUED = "(?:\\n(?!" + ITEM + "|\\||#| *```).+)*";

	private static final Pattern CODE_BLOCK = Pattern.compile(CODE, Pattern.MULTILINE);

	private static final Pattern FENCED = Pattern.compile("^ *```(\\w+)\\n([\\s\\S]*?)^ *```$", Pattern.MULTILINE);

	private static final Pattern BLOCK = Pattern.compile(CODE + "|^#+ .+|^\\|.+|^.+" + CONTINUED, Pattern.MULTILINE);

	private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);

	private static final Pattern CODE_SPAN = Pattern.compile("`([^`]+)`");

	private static final Pattern LINK = Pattern.compile("\\[([^\\[\\]]*)\\]\\(([^)\\s]+)\\)");

	private static final Pattern FIGURE = Pattern.compile("\\d+(?:[.,]\\d+)*");

	static MarkdownPage read(Path file) {
		try {
			return new MarkdownPage(file, Files.readString(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns all pages of the repository, in both languages.
	 * @param root the folder of the repository
	 * @return their files
	 */
	public static List<Path> files(Path root, String ending) {
		List<Path> pages = new ArrayList<>();
		try {
			Files.walkFileTree(root, new SimpleFileVisitor<>() {

				@Override
				public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
					String name = folder.getFileName().toString();
					boolean visited = folder.equals(root) || !name.startsWith(".") && !name.equals("target");
					return visited ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
				}

				@Override
				public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
					if (file.toString().endsWith(ending)) {
						pages.add(file);
					}
					return FileVisitResult.CONTINUE;
				}

			});
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return pages;
	}

	/**
	 * Returns the pages in English. The Chinese ones have the same code.
	 * @param root the folder of the repository
	 * @return the pages, in the order of their names
	 */
	public static List<MarkdownPage> english(Path root) {
		return files(root, ".md").stream()
			.filter((file) -> !file.toString().contains("zh-CN"))
			.sorted()
			.map(MarkdownPage::read)
			.toList();
	}

	/**
	 * Returns the fenced blocks in some languages.
	 * @param languages the languages named after the fence, such as {@code java}
	 * @return the blocks, in the order of the page
	 */
	public List<Code> code(String... languages) {
		return FENCED.matcher(this.text)
			.results()
			.filter((block) -> List.of(languages).contains(block.group(1)))
			.map((block) -> new Code(this.file, (int) this.text.substring(0, block.start(2)).lines().count() + 1,
					block.group(2).stripIndent()))
			.toList();
	}

	/**
	 * Headings, rows of tables, code, list items and paragraphs, in the order of the
	 * page.
	 */
	List<String> blocks() {
		return BLOCK.matcher(this.text).results().map(MatchResult::group).toList();
	}

	/**
	 * The properties of a block that are the same in both editions: the level of a
	 * heading, the number of cells and the figures of a row, every character of code.
	 */
	static String shape(String block) {
		if (block.stripLeading().startsWith("```")) {
			return block;
		}
		if (block.startsWith("#")) {
			return block.substring(0, block.indexOf(' '));
		}
		if (block.startsWith("|")) {
			List<String> figures = FIGURE.matcher(block).results().map(MatchResult::group).sorted().toList();
			return "row of %d cells with %s".formatted(block.split("\\|", -1).length - 2, figures);
		}
		return block.matches("(?s)" + ITEM + ".*") ? "item" : "paragraph";
	}

	/**
	 * The text marked as code, such as properties and classes, without links.
	 */
	Set<String> names() {
		return CODE_SPAN.matcher(LINK.matcher(prose()).replaceAll(""))
			.results()
			.map((match) -> match.group(1).replaceAll("\\s+", " "))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/**
	 * The anchors that a link can name after {@code #}, by GitHub's rule.
	 */
	Set<String> anchors() {
		Set<String> anchors = new HashSet<>();
		HEADING.matcher(prose()).results().map((match) -> anchor(match.group(1))).forEach((anchor) -> {
			String unique = anchor;
			for (int i = 1; !anchors.add(unique); i++) {
				unique = anchor + "-" + i;
			}
		});
		return anchors;
	}

	private static String anchor(String heading) {
		return LINK.matcher(heading)
			.replaceAll("$1")
			.toLowerCase(Locale.ROOT)
			.replaceAll("[^\\p{L}\\p{M}\\p{N}_\\- ]", "")
			.replace(' ', '-');
	}

	/**
	 * Links to files of this repository.
	 */
	Stream<Link> links() {
		return LINK.matcher(CODE_SPAN.matcher(prose()).replaceAll("code"))
			.results()
			.map((match) -> match.group(2))
			.filter((link) -> !link.matches("[a-z]+:.*"))
			.map(this::link);
	}

	private Link link(String link) {
		String[] parts = link.split("#", 2);
		Path target = parts[0].isEmpty() ? this.file : this.file.resolveSibling(parts[0]).normalize();
		return new Link(target, (parts.length > 1) ? parts[1] : "");
	}

	/**
	 * Returns the page without its fenced blocks.
	 * @return the other text, with its markup
	 */
	public String prose() {
		return CODE_BLOCK.matcher(this.text).replaceAll("");
	}

	record Link(Path target, String anchor) {

		boolean targetExists() {
			return Files.exists(this.target)
					&& (this.anchor.isEmpty() || MarkdownPage.read(this.target).anchors().contains(this.anchor));
		}

	}

	/**
	 * A fenced block.
	 *
	 * @param page the file of the page
	 * @param line the line of the page in which the block begins
	 * @param text the code
	 */
	public record Code(Path page, int line, String text) {

		@Override
		public String toString() {
			return this.page + ":" + this.line;
		}

	}

}
