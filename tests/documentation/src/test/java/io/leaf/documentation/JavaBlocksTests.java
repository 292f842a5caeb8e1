// SPDX-License-Identifier: Apache-2.0

package io.leaf.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.util.JavacTask;
import io.leaf.MarkdownPage;
import io.leaf.MarkdownPage.Code;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the Java blocks of the pages compile. A block that begins with its package
 * or its imports is a complete file. Any other block is a fragment: types, members of a
 * class, or statements, whichever it can be parsed as. This class adds the imports, and
 * the declarations that no page shows.
 */
class JavaBlocksTests {

	private static final Path ROOT = Path.of("../..");

	/**
	 * Blocks that cannot be compiled, by one of their lines, with the reason.
	 */
	private static final Map<String, String> NOT_COMPILED = Map.of(
			"DefaultConfigurationCustomizer leafIds(IdGenerator ids) {",
			"tests/integrations compiles and runs it, with generated classes of jOOQ",
			"this.sql.insertInto(ORDERS).set(ORDERS.ID, id).set(ORDERS.ITEM, \"tea\").execute();",
			"tests/integrations compiles and runs it, with generated classes of jOOQ");

	private static final String IMPORTS = """
			import java.io.Serializable;
			import java.util.Arrays;
			import java.util.List;
			import javax.sql.DataSource;
			import com.zaxxer.hikari.HikariDataSource;
			import io.leaf.IdGenerator;
			import io.leaf.LeafId;
			import io.leaf.SegmentUnavailableException;
			import io.leaf.autoconfigure.datasource.LeafDataSource;
			import io.leaf.json.AsJsonString;
			import io.leaf.test.TestIdGenerator;
			import io.leaf.test.autoconfigure.AutoConfigureTestIdGenerator;
			import io.leaf.text.LeafText;
			import org.junit.jupiter.api.Test;
			import org.springframework.batch.infrastructure.item.ItemProcessor;
			import org.springframework.beans.factory.annotation.Autowired;
			import org.springframework.beans.factory.annotation.Qualifier;
			import org.springframework.boot.ApplicationRunner;
			import org.springframework.boot.context.properties.ConfigurationProperties;
			import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
			import org.springframework.boot.jpa.EntityManagerFactoryBuilder;
			import org.springframework.boot.test.context.SpringBootTest;
			import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
			import org.springframework.context.annotation.Bean;
			import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
			import org.springframework.transaction.annotation.Transactional;
			import org.springframework.web.bind.annotation.GetMapping;
			import org.springframework.web.bind.annotation.PathVariable;
			import org.testcontainers.containers.GenericContainer;
			import org.testcontainers.mysql.MySQLContainer;
			import reactor.core.publisher.Mono;
			import static org.assertj.core.api.Assertions.assertThat;
			import static org.assertj.core.api.Assertions.assertThatException;
			""";

	private static final String JPA_IMPORTS = """
			import jakarta.persistence.Column;
			import jakarta.persistence.Embeddable;
			import jakarta.persistence.EmbeddedId;
			import jakarta.persistence.Entity;
			import jakarta.persistence.Id;
			import jakarta.persistence.IdClass;
			import jakarta.persistence.MappedSuperclass;
			import jakarta.persistence.Table;
			""";

	private static final String SPRING_DATA_IMPORTS = """
			import org.springframework.data.annotation.Id;
			import org.springframework.data.relational.core.mapping.Table;
			""";

	/**
	 * Declarations that fragments use and that no page shows.
	 */
	private static final String SURROUNDINGS = """
			abstract class Surroundings {
				IdGenerator ids;
			}
			class Posting {
			}
			record Payout(Long id, long cents) {
				Payout withId(long id) {
					return new Payout(id, this.cents);
				}
			}
			""";

	/**
	 * The package of the sample. The tests on the page testing.md belong to it.
	 */
	private static final String SAMPLE = "io.leaf.sample.orders";

	private static final String SAMPLE_IMPORTS = """
			import io.leaf.sample.orders.OrderController.NewOrder;
			import io.leaf.sample.orders.PaymentController.NewPayment;
			import io.leaf.sample.orders.PaymentController.PaymentView;
			""";

	private static final Path SAMPLE_SOURCES = ROOT
		.resolve("samples/leaf-sample-orders/src/main/java/io/leaf/sample/orders");

	private static final Pattern PUBLIC_TYPE = Pattern
		.compile("(?m)^public (?:final )?(?:class|interface|record|enum) (\\w+)");

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	private static final StandardJavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

	@AfterAll
	static void close() throws IOException {
		FILES.close();
	}

	@Test
	void theBlocksCompile() {
		List<Code> blocks = all().filter((block) -> block.text().lines().noneMatch(NOT_COMPILED::containsKey)).toList();
		assertThat(blocks).hasSizeGreaterThan(20);
		assertThat(errors(blocks)).isEmpty();
	}

	@Test
	void everyBlockThatIsNotCompiledIsOnAPage() {
		assertThat(all().flatMap((block) -> block.text().lines())).containsAll(NOT_COMPILED.keySet());
	}

	@Test
	void blocksThatDoNotCompileAreErrors() {
		Path page = Path.of("page.md");
		List<Code> blocks = List.of(new Code(page, 1, "record Invoice(@LeafId(name = \"invoice\") Long id) {}\n"),
				new Code(page, 2, "void ids() { this.ids.next(\"order\"); }\n"),
				new Code(page, 3, "long id = this.ids.nextId();\n"), new Code(page, 4, "import io.leaf.Ids;\n"),
				new Code(page, 5, "class Order {\n"), new Code(page, 6, "class Fine {}\n"));
		assertThat(errors(blocks)).extracting((error) -> error.split(" ")[0])
			.containsExactlyInAnyOrder("page.md:1", "page.md:2", "page.md:3", "page.md:4", "page.md:5");
	}

	private static Stream<Code> all() {
		return MarkdownPage.english(ROOT).stream().flatMap((page) -> page.code("java").stream());
	}

	/**
	 * Returns the errors that the compiler finds in these blocks and in the sample, which
	 * are compiled together.
	 */
	private static List<String> errors(List<Code> blocks) {
		List<String> errors = new ArrayList<>();
		List<Source> sources = sampleSources();
		for (Code block : blocks) {
			Optional<Source> source = forms(block).filter((form) -> run(List.of(form), true).isEmpty()).findFirst();
			source.ifPresentOrElse(sources::add,
					() -> errors.add(block + " is neither a file nor types, members or statements"));
		}
		errors.addAll(run(sources, false));
		return errors;
	}

	/** Returns the files that a block can be a part of, in the order of preference. */
	private static Stream<Source> forms(Code block) {
		if (block.text().startsWith("package ") || block.text().startsWith("import ")) {
			return Stream.of(new Source(block.toString(), block.text()));
		}
		boolean ofSample = block.page().endsWith("testing.md");
		String name = block.page().getFileName().toString().replaceAll("\\W", "_") + block.line();
		String head = "package " + (ofSample ? SAMPLE : "com.example." + name) + ";" + IMPORTS
				+ (ofSample ? SAMPLE_IMPORTS : "") + (isOfSpringData(block) ? SPRING_DATA_IMPORTS : JPA_IMPORTS);
		String surroundings = ofSample ? "" : SURROUNDINGS;
		return Stream
			.of("%s", "class Fragment extends Surroundings { %s }",
					"class Fragment extends Surroundings { void run() throws Exception { %s } }")
			.map((frame) -> new Source(block.toString(), head + frame.formatted(block.text()) + surroundings));
	}

	/** JPA and Spring Data have annotations with the same names. */
	private static boolean isOfSpringData(Code block) {
		return !block.text().contains("@Entity") && !block.text().contains("@MappedSuperclass");
	}

	private static List<Source> sampleSources() {
		try (Stream<Path> files = Files.list(SAMPLE_SOURCES)) {
			List<Source> sources = new ArrayList<>();
			for (Path file : files.toList()) {
				sources.add(new Source(file.getFileName().toString(), Files.readString(file)));
			}
			return sources;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static List<String> run(List<Source> sources, boolean parseOnly) {
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		JavacTask task = (JavacTask) COMPILER.getTask(null, FILES, diagnostics, List.of("-proc:none", "-parameters",
				"--release", "17", "-Xlint:deprecation,removal,unchecked", "--should-stop=ifError=FLOW"), null,
				sources);
		try {
			if (parseOnly) {
				task.parse();
			}
			else {
				task.analyze();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return diagnostics.getDiagnostics()
			.stream()
			.filter((found) -> found.getKind() != Diagnostic.Kind.NOTE)
			.map((found) -> found.getSource() + " " + found.getMessage(null))
			.toList();
	}

	private static final class Source extends SimpleJavaFileObject {

		private final String origin;

		private final String text;

		private Source(String origin, String text) {
			super(URI.create("string:///" + fileName(text)), Kind.SOURCE);
			this.origin = origin;
			this.text = text;
		}

		/** A public type must be in a file with its name. */
		private static String fileName(String text) {
			Matcher type = PUBLIC_TYPE.matcher(text);
			return (type.find() ? type.group(1) : "Source") + ".java";
		}

		@Override
		public CharSequence getCharContent(boolean ignoreEncodingErrors) {
			return this.text;
		}

		@Override
		public String toString() {
			return this.origin;
		}

	}

}
