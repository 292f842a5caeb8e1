// SPDX-License-Identifier: Apache-2.0

package io.leaf.documentation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.leaf.MarkdownPage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.languagetool.JLanguageTool;
import org.languagetool.Languages;
import org.languagetool.markup.AnnotatedText;
import org.languagetool.markup.AnnotatedTextBuilder;
import org.languagetool.rules.Rule;
import org.languagetool.rules.RuleMatch;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks the English of the pages with LanguageTool. Compares the words of the pages, of
 * the comments and messages of the code, and of the scripts with a list of expressions to
 * avoid.
 */
class StyleTests {

	private static final Path ROOT = Path.of("../..");

	/**
	 * The categories of LanguageTool's rules that are checked. The others concern
	 * spelling, for which it lacks the technical terms, and taste.
	 */
	private static final Set<String> CATEGORIES = Set.of("COLLOCATIONS", "COMPOUNDING", "CONFUSED_WORDS", "GRAMMAR",
			"MISC", "NONSTANDARD_PHRASES", "PUNCTUATION", "REDUNDANCY", "SEMANTICS", "TYPOGRAPHY", "TYPOS");

	/**
	 * Rules of these categories that do not suit such pages, with the reason.
	 */
	private static final Map<String, String> DISABLED_RULES = Map.ofEntries(
			Map.entry("A_INFINITIVE", "takes 'a write' for a verb"), Map.entry("ANY_MORE", "both forms are right"),
			Map.entry("ARROWS", "code"), Map.entry("COMMA_COMPOUND_SENTENCE_2", "short clauses need no comma"),
			Map.entry("COMMA_PARENTHESIS_WHITESPACE", "code"),
			Map.entry("COMMA_PERIOD_CONFUSION", "table cells end without a period"),
			Map.entry("MISSING_COMMA_AFTER_INTRODUCTORY_PHRASE", "short phrases need no comma"),
			Map.entry("AGREEMENT_SENT_START", "takes a heading for a sentence"),
			Map.entry("NODT_DOZEN", "units in the heads of tables"), Map.entry("THE_SUPERLATIVE", "heads of tables"),
			Map.entry("SENT_START_CONJUNCTIVE_LINKING_ADVERB_COMMA", "taste"),
			Map.entry("THERE_MISSING_VERB", "takes 'here' for 'there'"),
			Map.entry("UNNECESSARY_COMMA", "takes a list for a sentence"), Map.entry("WHITESPACE_RULE", "Markdown"));

	/**
	 * Findings of LanguageTool that are not errors, with the reason.
	 */
	private static final Map<String, String> ACCEPTED = Map.of("EN_COMPOUNDS_AUTO_CONFIGURATION: auto-configuration",
			"Spring Boot's spelling", "PCT_SINGULAR_NOUN_PLURAL_VERB_AGREEMENT: check", "'clock check' is a noun");

	/**
	 * Expressions to avoid, with what to write instead.
	 */
	private static final Map<Pattern, String> HABITS = new LinkedHashMap<>();

	private static final Pattern COMMENT_OR_STRING = Pattern
		.compile("(?s)/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"");

	private static JLanguageTool languageTool;

	@BeforeAll
	static void readExpressions() throws IOException {
		for (String line : Files.readAllLines(Path.of("src/test/resources/expressions-to-avoid.txt"))) {
			String[] parts = line.split(" => ", 2);
			if (!line.isEmpty() && !line.startsWith("#")) {
				HABITS.put(Pattern.compile(parts[0], Pattern.CASE_INSENSITIVE), parts[1]);
			}
		}
	}

	@BeforeAll
	static void createLanguageTool() {
		languageTool = new JLanguageTool(Languages.getLanguageForShortCode("en-US"));
		assertThat(languageTool.getAllRules()).extracting(Rule::getId).containsAll(DISABLED_RULES.keySet());
		for (Rule rule : languageTool.getAllRules()) {
			if (!CATEGORIES.contains(rule.getCategory().getId().toString()) || DISABLED_RULES.containsKey(rule.getId())
					|| rule.isDictionaryBasedSpellingRule()) {
				languageTool.disableRule(rule.getId());
			}
		}
	}

	@Test
	void languageToolFindsNoErrorsOnThePages() throws IOException {
		Set<String> accepted = new TreeSet<>();
		List<String> found = new ArrayList<>();
		for (MarkdownPage page : pages()) {
			Prose prose = Prose.of(page);
			for (RuleMatch match : languageTool.check(prose.annotated())) {
				String matched = prose.text().substring(match.getFromPos(), match.getToPos());
				String exception = match.getRule().getId() + ": " + matched;
				if (ACCEPTED.containsKey(exception)) {
					accepted.add(exception);
				}
				else {
					found.add("%s: %s (%s) in: %s".formatted(name(page), exception, match.getMessage(),
							around(prose.text(), match.getFromPos(), match.getToPos())));
				}
			}
		}
		assertThat(found).isEmpty();
		assertThat(accepted).as("accepted findings that occur").isEqualTo(ACCEPTED.keySet());
	}

	@Test
	void thePagesAvoidTheseExpressions() {
		List<String> found = new ArrayList<>();
		pages().forEach((page) -> found.addAll(habits(name(page), Prose.of(page).withoutCode())));
		assertThat(found).isEmpty();
	}

	@Test
	void commentsAndMessagesOfTheCodeAvoidTheseExpressions() throws IOException {
		List<String> found = new ArrayList<>();
		for (Path file : MarkdownPage.files(ROOT, ".java")) {
			// its own texts are examples
			if (!file.endsWith("StyleTests.java")) {
				COMMENT_OR_STRING.matcher(Files.readString(file))
					.results()
					.forEach((part) -> found.addAll(
							habits(ROOT.relativize(file).toString(), part.group().replaceAll("\\n\\s*\\*?\\s*", " "))));
			}
		}
		for (Path script : MarkdownPage.files(ROOT.resolve("sql"), ".sql")) {
			found.addAll(habits(ROOT.relativize(script).toString(), Files.readString(script)));
		}
		for (Path pom : MarkdownPage.files(ROOT, "pom.xml")) {
			found.addAll(habits(ROOT.relativize(pom).toString(), Files.readString(pom)));
		}
		assertThat(found).isEmpty();
	}

	@Test
	void theChecksFindErrors() throws IOException {
		AnnotatedText text = new AnnotatedTextBuilder().addText("The the rows are added by a application,, its owner.")
			.build();
		assertThat(languageTool.check(text)).extracting((match) -> match.getRule().getId())
			.contains("ENGLISH_WORD_REPEAT_RULE", "EN_A_VS_AN", "DOUBLE_PUNCTUATION");
		assertThat(habits("page", "Where it is away, nobody tells you, too. 1,000 IDs a second are none of ours."))
			.hasSize(7);
	}

	private static List<MarkdownPage> pages() {
		List<MarkdownPage> pages = MarkdownPage.english(ROOT);
		assertThat(pages).hasSizeGreaterThan(30);
		return pages;
	}

	private static String name(MarkdownPage page) {
		return ROOT.relativize(page.file()).toString().replace('\\', '/');
	}

	private static List<String> habits(String file, String text) {
		List<String> found = new ArrayList<>();
		HABITS.forEach((habit, instead) -> habit.matcher(text)
			.results()
			.forEach((match) -> found.add("%s: '%s' (write: %s) in: %s".formatted(file, match.group(), instead,
					around(text, match.start(), match.end())))));
		return found;
	}

	private static String around(String text, int from, int to) {
		return text.substring(Math.max(0, from - 50), Math.min(text.length(), to + 30)).replaceAll("\\s+", " ");
	}

}
