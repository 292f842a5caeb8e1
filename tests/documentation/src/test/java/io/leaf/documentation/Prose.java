// SPDX-License-Identifier: Apache-2.0

package io.leaf.documentation;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaf.MarkdownPage;
import org.languagetool.markup.AnnotatedText;
import org.languagetool.markup.AnnotatedTextBuilder;

/**
 * The sentences of a page, one paragraph, list item or cell of a table per line, with the
 * Markdown inside the lines.
 *
 * @param text the sentences
 */
record Prose(String text) {

	private static final Pattern CODE_BLOCK = Pattern.compile("(?m)^\\n(?:(?: {4,}|\\t).+\\n)+$|^<!--[\\s\\S]*?-->");

	private static final Pattern ROW = Pattern.compile("(?m)^ *\\|.*$");

	private static final Pattern LINE_BREAK = Pattern.compile("\\n *(?!\\n| |-|\\d+\\. |#)");

	private static final Pattern START = Pattern.compile("(?m)^ *(?:(?:-|\\d+\\.|#+) +)?");

	private static final Pattern CODE = Pattern.compile("`[^`]+`");

	private static final Pattern MARK = Pattern.compile(CODE + "|!?\\[|\\]\\([^)]*\\)|\\*+(?=\\S)|(?<=\\S)\\*+");

	static Prose of(MarkdownPage page) {
		String text = CODE_BLOCK.matcher(page.prose()).replaceAll("\n");
		text = ROW.matcher(text)
			.replaceAll((row) -> "\n"
					+ Matcher.quoteReplacement(row.group().replaceAll("[-| ]*(?<!\\\\)\\|[-| ]*", "\n\n")));
		text = LINE_BREAK.matcher(text).replaceAll(" ");
		return new Prose(START.matcher(text).replaceAll("").replaceAll("\\n+", "\n\n").strip());
	}

	/**
	 * Returns the sentences for a check of their words.
	 */
	String withoutCode() {
		return CODE.matcher(this.text).replaceAll("`code`");
	}

	/**
	 * Returns the sentences for a check of their grammar, which reads code as a noun.
	 */
	AnnotatedText annotated() {
		AnnotatedTextBuilder builder = new AnnotatedTextBuilder();
		Matcher mark = MARK.matcher(this.text);
		int end = 0;
		int nouns = 0;
		while (mark.find()) {
			builder.addText(this.text.substring(end, mark.start()));
			builder.addMarkup(mark.group(), mark.group().startsWith("`") ? noun(mark.start(), nouns++) : "");
			end = mark.end();
		}
		return builder.addText(this.text.substring(end)).build();
	}

	/**
	 * Returns a noun that fits after "a" or "an". Nouns alternate, so that the check does
	 * not report a repeated word.
	 */
	private String noun(int position, int number) {
		return this.text.startsWith("n ", Math.max(0, position - 2)) ? "Item" : (number % 2 == 0) ? "Foo" : "Bar";
	}

}
