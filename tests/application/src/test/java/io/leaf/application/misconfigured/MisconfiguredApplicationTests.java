// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.misconfigured;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaf.application.misconfigured.shop.ShopApplication;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;

/**
 * Starts an application with typical mistakes in its configuration, and compares the
 * explanations that users get with the expected ones. The mistakes are in
 * {@code misconfigurations.txt}, with these directives:
 *
 * <ul>
 * <li>{@code sql}: a statement that is executed before startup</li>
 * <li>{@code file}: a statement that is executed in a file database,
 * {@code {directory}/orders}</li>
 * <li>{@code with}: a class of {@link Mistakes}, which is added to the application</li>
 * <li>{@code library}: one of {@link #LIBRARIES}, whose auto-configurations are otherwise
 * excluded</li>
 * <li>{@code without}: an auto-configuration that is excluded</li>
 * <li>{@code environment}: an environment variable</li>
 * <li>{@code earlier}: an additional property of an earlier run of the application, which
 * has ended</li>
 * <li>{@code running}: an additional property of an application that runs at the same
 * time</li>
 * </ul>
 */
@ExtendWith(OutputCaptureExtension.class)
class MisconfiguredApplicationTests {

	private static final Pattern EXPLANATION = Pattern
		.compile("(?s)\\*\\nAPPLICATION FAILED TO START\\n\\*+\\n\\n(Description:\\n\\n.*?\\n\\nAction:\\n\\n[^\\n]*)");

	/**
	 * The auto-configurations of each library. All others except those of JDBC are
	 * excluded, which halves the duration of the test.
	 */
	private static final Map<String, String> LIBRARIES = Map.of("jpa",
			"org\\.springframework\\.boot\\.(hibernate|data\\.jpa|persistence)\\..*", "r2dbc",
			"org\\.springframework\\.boot\\.(r2dbc|data\\.r2dbc)\\..*", "mybatis", "org\\.mybatis\\..*", "mybatis-plus",
			"com\\.baomidou\\..*");

	private static final String ALWAYS = "io\\.leaf\\..*|org\\.springframework\\.boot\\.(jdbc|transaction|autoconfigure\\.context)\\..*";

	@AutoClose
	private static TestingServer zooKeeper;

	@TempDir
	private Path directory;

	@BeforeAll
	static void startZooKeeper() throws Exception {
		zooKeeper = new TestingServer();
	}

	@Test
	void atLeastFiftyMistakesAreTested() {
		assertThat(Misconfiguration.all()).hasSizeGreaterThanOrEqualTo(50)
			.extracting(Misconfiguration::title)
			.doesNotHaveDuplicates();
	}

	@Test
	void theApplicationStartsIfThereIsNoMistake(CapturedOutput output) throws Exception {
		try (Connection database = database()) {
			execute(database, "RUNSCRIPT FROM 'classpath:io/leaf/segment/jdbc/schema-h2.sql'");
			execute(database, "INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 1000)");
			start(new Misconfiguration("none", List.of(), List.of(), ""), List.of()).close();
		}
		assertThat(output).contains("1 [2, 3, 4, 5]");
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("io.leaf.application.misconfigured.MisconfiguredApplicationTests$Misconfiguration#all")
	void theMistakeIsExplained(Misconfiguration mistake, CapturedOutput output) throws Exception {
		List<AutoCloseable> running = new ArrayList<>();
		try (Connection database = database()) {
			for (String sql : mistake.values("sql")) {
				execute(database, sql);
			}
			for (String sql : mistake.values("file")) {
				try (Connection file = DriverManager.getConnection("jdbc:h2:" + this.directory.resolve("orders"), "sa",
						"")) {
					execute(file, sql);
				}
			}
			for (String other : mistake.values("earlier")) {
				start(mistake, List.of(other)).close();
			}
			for (String other : mistake.values("running")) {
				running.add(start(mistake, List.of(other)));
			}
			Exception failure = catchException(() -> start(mistake, List.of()).close());
			assertThat(explanation(failure, output.getAll())).isEqualTo(mistake.text());
		}
		finally {
			for (AutoCloseable context : running) {
				context.close();
			}
		}
	}

	private static Connection database() throws SQLException {
		return DriverManager.getConnection("jdbc:h2:mem:misconfigured", "sa", "");
	}

	private static void execute(Connection database, String sql) throws SQLException {
		try (Statement statement = database.createStatement()) {
			statement.execute(sql);
		}
	}

	private ConfigurableApplicationContext start(Misconfiguration mistake, List<String> overrides) throws IOException {
		List<String> properties = new ArrayList<>(mistake.properties());
		properties.addAll(overrides);
		properties.replaceAll((line) -> line.replace("{directory}", this.directory.toString())
			.replace("{zookeeper}", zooKeeper.getConnectString()));
		Files.write(this.directory.resolve("application.properties"), properties);
		SpringApplication application = new SpringApplication(ShopApplication.class);
		application
			.addPrimarySources(mistake.values("with").stream().map(MisconfiguredApplicationTests::beans).toList());
		application.setEnvironment(environment(mistake));
		application.setDefaultProperties(Map.of("leaf.snowflake.state-dir", this.directory.resolve("state").toString(),
				"spring.autoconfigure.exclude", String.join(",", excluded(mistake))));
		return application.run("--spring.config.location=classpath:/io/leaf/application/misconfigured/,file:%s/"
			.formatted(this.directory));
	}

	private static List<String> excluded(Misconfiguration mistake) {
		String used = Stream.concat(Stream.of(ALWAYS), mistake.values("library").stream().map(LIBRARIES::get))
			.collect(Collectors.joining("|"));
		Stream<String> unused = ImportCandidates.load(AutoConfiguration.class, null)
			.getCandidates()
			.stream()
			.filter((name) -> !name.matches(used));
		return Stream.concat(unused, mistake.values("without").stream()).toList();
	}

	private static Class<?> beans(String name) {
		return ClassUtils.resolveClassName(Mistakes.class.getName() + "$" + name, null);
	}

	private static ConfigurableEnvironment environment(Misconfiguration mistake) {
		Map<String, Object> variables = new HashMap<>(System.getenv());
		for (String variable : mistake.values("environment")) {
			String[] parts = variable.split("=", 2);
			variables.put(parts[0], parts[1]);
		}
		ConfigurableEnvironment environment = new StandardEnvironment();
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		environment.getPropertySources().replace(name, new SystemEnvironmentPropertySource(name, variables));
		return environment;
	}

	/**
	 * Returns the explanation of Spring Boot, or the message of the exception if Spring
	 * Boot prints none.
	 */
	private String explanation(Exception failure, String output) {
		Matcher matcher = EXPLANATION.matcher(output);
		String text = matcher.find() ? matcher.group(1) : String.valueOf(failure);
		return text.replace(this.directory.toString(), "{directory}")
			.replace(zooKeeper.getConnectString(), "{zookeeper}")
			.replaceAll("present time is \\S+Z", "present time is {now}")
			.replaceAll("\\[(\\d{5})-\\d+]", "[$1-{h2}]");
	}

	/**
	 * A mistake in the configuration, with the explanation that the user gets. In the
	 * file {@code misconfigurations.txt}, a mistake begins with a line {@code === title}.
	 * Lines with properties, as in {@code application.properties}, and with directives,
	 * as {@code name: value}, follow. After a line {@code ---} comes the message, or the
	 * description, another line {@code ---} and the action.
	 *
	 * @param title a short description of the mistake
	 * @param properties the lines of {@code application.properties}
	 * @param directives the other conditions, each as {@code name: value}
	 * @param text the description and the action that Spring Boot prints, or only the
	 * message
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

}
