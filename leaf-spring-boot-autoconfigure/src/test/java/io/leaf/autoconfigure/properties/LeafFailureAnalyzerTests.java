// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import javax.sql.DataSource;

import io.leaf.IdGenerator;
import io.leaf.InvalidRequestException;
import io.leaf.SegmentUnavailableException;
import io.leaf.autoconfigure.DataSources;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.TestApplications.BothModes;
import io.leaf.autoconfigure.datasource.LeafDataSource;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafFailureAnalyzer}, {@link LeafPropertyFailureAnalyzer},
 * {@link LeafBindFailureAnalyzer} and {@code LeafScriptFailureAnalyzer}: the explanation
 * when an application does not start.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeafFailureAnalyzerTests {

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase();

	@TempDir
	private Path directory;

	@Test
	void missingTable(CapturedOutput output) {
		assertThat(failure(output, this.database.property(), "leaf.segment.initialize-schema=never"))
			.contains("There is no table leaf_alloc", "leaf.segment.initialize-schema=always", "leaf.segment.table")
			.doesNotContain("leaf.segment.fail-fast");
	}

	@Test
	void tableThatIsNotALeafTable(CapturedOutput output) {
		this.database.execute("CREATE TABLE users (id INT)");
		assertThat(failure(output, this.database.property(), "leaf.segment.table=users"))
			.contains("Table users is not a Leaf table", "biz_tag, max_id and step", "leaf.segment.table");
	}

	@Test
	void tableThatTheUserMayNotRead(CapturedOutput output) {
		this.database.withTable().execute("CREATE USER reader PASSWORD 'secret'");
		assertThat(failure(output, this.database.property(), "leaf.segment.initialize-schema=never",
				"spring.datasource.username=reader", "spring.datasource.password=secret"))
			.contains("lacks privileges on table leaf_alloc", "Grant SELECT and UPDATE");
	}

	@Test
	void readOnlyDatabase(CapturedOutput output) throws SQLException {
		String url = "jdbc:h2:file:" + this.directory.resolve("leaf");
		try (Connection connection = DriverManager.getConnection(url, "sa", "");
				Statement statement = connection.createStatement()) {
			statement.execute("RUNSCRIPT FROM 'classpath:io/leaf/segment/jdbc/schema-h2.sql'");
		}
		assertThat(failure(output, "spring.datasource.url=" + url + ";ACCESS_MODE_DATA=r",
				"spring.datasource.username=sa", "leaf.segment.acquire-timeout=1s"))
			.contains("Leaf cannot allocate segments. The database of table leaf_alloc is read-only")
			.contains("Connect to the primary server", "leaf.segment.datasource.url", "@LeafDataSource")
			.contains("leaf.segment.fail-fast=false");
	}

	@Test
	void wrongPassword(CapturedOutput output) throws SQLException {
		// in a file: the pool waits much longer for an in-memory database
		String url = "jdbc:h2:file:" + this.directory.resolve("leaf");
		DriverManager.getConnection(url, "sa", "").close();
		assertThat(failure(output, "spring.datasource.url=" + url, "spring.datasource.username=sa",
				"spring.datasource.password=secret"))
			.contains("The database rejects the credentials",
					"spring.datasource.username and spring.datasource.password", "leaf.segment.datasource.username");
		assertThat(output).doesNotContain("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "embedded", "always" })
	void databaseIsDown(String initializeSchema, CapturedOutput output) throws IOException {
		assertThat(failure(output, unreachable(), "leaf.segment.acquire-timeout=100ms",
				"leaf.segment.initialize-schema=" + initializeSchema))
			.contains("Cannot reach the database of table leaf_alloc", "spring.datasource.url")
			.contains("leaf.segment.fail-fast=false");
	}

	@Test
	void databaseIsDownAndStartupContinues(CapturedOutput output) throws IOException {
		try (ConfigurableApplicationContext context = run(unreachable(), "leaf.segment.fail-fast=false",
				"leaf.segment.acquire-timeout=5s")) {
			assertThat(output)
				.contains("Starting without having read the rows of any key, because leaf.segment.fail-fast=false");
			assertThatExceptionOfType(SegmentUnavailableException.class)
				.isThrownBy(() -> context.getBean(IdGenerator.class).nextId("order"))
				.withMessageContaining("Cannot reach the database of table leaf_alloc");
		}
	}

	@Test
	void noDataSource(CapturedOutput output) {
		assertThat(failure(application(NoDataSource.class), output, "leaf.segment.enabled=true"))
			.contains("Segment mode is enabled, but there is no DataSource bean")
			.contains("spring.datasource.url", "@LeafDataSource", "leaf.segment.datasource.url",
					"leaf.segment.enabled=false");
	}

	@ParameterizedTest
	@ValueSource(classes = { TwoDataSources.class, TwoPrimaryDataSources.class })
	void severalDataSources(Class<?> configuration, CapturedOutput output) {
		assertThat(failure(application(configuration), output))
			.contains("several DataSource beans (first, second), and either none or more than one of them is primary")
			.contains("@LeafDataSource", "leaf.segment.datasource.url");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			max-step=0       | leaf.segment.max-step; '0'; It must be from 1 to 1000000000; originating from
			table=leaf alloc | leaf.segment.table; 'leaf alloc'; It must be one to three names separated by dots
			table=select     | (select and others) cannot be created; leaf.segment.table
			""")
	void invalidValue(String property, String explanation, CapturedOutput output) {
		assertThat(failure(output, this.database.property(), "leaf.segment." + property))
			.contains(explanation.split("; "));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			enabled           | maybe       | It must be true or false
			max-step          | many        | It must be a whole number, in digits only
			auto-create.step  | 99999999999 | It must be a whole number, in digits only, and not larger than 2147483647
			initialize-schema | sometimes   | It must be one of always, embedded, never
			acquire-timeout   | soon        | It must be a number with a unit, such as 500ms, 3s, 15m, 1h or 7d
			prefetch-at       | 10%         | It must be a number, such as 0.1
			""")
	void valueOfAnotherType(String name, String value, String rule, CapturedOutput output) {
		assertThat(failure(output, this.database.property(), "leaf.segment." + name + "=" + value))
			.contains("Invalid value '%s' for configuration property 'leaf.segment.%s'".formatted(value, name), rule)
			.doesNotContain("java.lang", "bind");
	}

	@Test
	void valueForAGroupOfProperties(CapturedOutput output) {
		assertThat(failure(output, this.database.property(), "leaf.segment.auto-create=true")).contains(
				"'leaf.segment.auto-create' (originating from",
				"leaf.segment.auto-create.enabled, leaf.segment.auto-create.step, leaf.segment.auto-create.above-existing-ids");
	}

	@Test
	void otherValuesAreLeftToSpringBoot(CapturedOutput output) {
		assertThat(failure(output, this.database.property(), "spring.datasource.hikari.maximum-pool-size=many"))
			.contains("Failed to bind properties under 'spring.datasource.hikari.maximum-pool-size'");
	}

	@Test
	void keyWithoutARow(CapturedOutput output) {
		assertThat(failure(application(RequestsAnId.class), output, this.database.property()))
			.contains("There is no row for key 'order'.", "Add one to the table");
	}

	@Test
	void mistakeInTheCodeKeepsItsStackTrace(CapturedOutput output) {
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> application(RequestsNoIds.class).run(arguments(this.database.property())).close());
		assertThat(output).doesNotContain("APPLICATION FAILED TO START")
			.contains("at " + RequestsNoIds.class.getName());
	}

	@Test
	void scriptOfTheApplicationThatCreatesTheTable(CapturedOutput output) throws IOException {
		assertThat(failure(application(WithScripts.class), output, this.database.property(),
				script("CREATE TABLE \"LEAF_ALLOC\" (biz_tag VARCHAR(128) PRIMARY KEY)")))
			.contains("A script of the application cannot create the table leaf_alloc",
					"leaf.segment.initialize-schema=never");
	}

	@ParameterizedTest
	@CsvSource({ "leaf_alloc, never", "leaf_alloc_history, embedded" })
	void otherScriptsAreLeftToSpringBoot(String table, String initializeSchema, CapturedOutput output)
			throws IOException {
		String script = script("CREATE TABLE %1$s (id INT); CREATE TABLE %1$s (id INT)".formatted(table));
		assertThatException().isThrownBy(() -> application(WithScripts.class)
			.run(arguments(this.database.property(), script, "leaf.segment.initialize-schema=" + initializeSchema))
			.close());
		assertThat(output).doesNotContain("A script of the application");
	}

	private String script(String sql) throws IOException {
		return "spring.sql.init.schema-locations=file:" + Files.writeString(this.directory.resolve("schema.sql"), sql);
	}

	@Test
	void invalidValueOfAnEnvironmentVariable(CapturedOutput output) {
		SpringApplication application = application(Application.class);
		ConfigurableEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.addFirst(
					new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of("LEAF_SEGMENT_MAXSTEP", "0")));
		application.setEnvironment(environment);
		assertThat(failure(application, output, this.database.property())).contains("leaf.segment.max-step")
			.contains("LEAF_SEGMENT_MAXSTEP", "It must be from 1 to 1000000000");
	}

	@Test
	void scriptThatFails(CapturedOutput output) {
		this.database.execute("CREATE USER reader PASSWORD 'secret'");
		assertThat(failure(output, this.database.property(), "leaf.segment.initialize-schema=always",
				"spring.datasource.username=reader", "spring.datasource.password=secret"))
			.contains("Leaf's tables (leaf_alloc and others) cannot be created", "schema-h2.sql",
					"leaf.segment.initialize-schema=never");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			zookeeper.connect-string=zk1:many | leaf.snowflake.zookeeper.connect-string; zk1:many
			worker.source=redis               | redis; leaf.snowflake.worker.source
			worker.source=file                | leaf.snowflake.worker.id is not set; from 0 to 1023
			""")
	void invalidSourceOfWorkerIds(String property, String explanation, CapturedOutput output) {
		assertThat(snowflakeFailure(output, "leaf.snowflake." + property)).contains(explanation.split("; "));
	}

	@Test
	void noZooKeeperAddress(CapturedOutput output) {
		assertThat(snowflakeFailure(output)).contains("leaf.snowflake.zookeeper.connect-string is not set",
				"leaf.snowflake.worker.source=jdbc");
	}

	@Test
	void workerIdOutOfRange(CapturedOutput output) {
		assertThat(snowflakeFailure(output, "leaf.snowflake.worker.source=file", "leaf.snowflake.worker.id=1024"))
			.contains("leaf.snowflake.worker.id", "'1024'", "from 0 to 1023");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					layout.unit=seconds                 | leaf.snowflake.layout.epoch; It must be a time since 1970 in whole seconds (leaf.snowflake.layout.unit=seconds)
					layout.epoch=2126-01-01T00:00:00Z   | leaf.snowflake.layout.epoch; must not be in the future
					layout.epoch=2024-01-01             | Invalid value '2024-01-01' for configuration property 'leaf.snowflake.layout.epoch'; It must be a time in UTC, such as 2024-01-01T00:00:00Z
					layout.worker-bits=12               | They must add up to at most 63: 41 + 12 + 12 = 65; Lower leaf.snowflake.layout.timestamp-bits; .worker-bits
					clock.max-drift=9223372036854775807 | leaf.snowflake.clock.max-drift; It must be from 1 s to 7 d
					""")
	void invalidLayoutOrClock(String property, String explanation, CapturedOutput output) {
		assertThat(snowflakeFailure(output, "leaf.snowflake.worker.source=file", "leaf.snowflake.worker.id=1",
				"leaf.snowflake." + property))
			.contains(explanation.split("; "));
	}

	@Test
	void wrongZooKeeperAddress(CapturedOutput output) throws IOException {
		assertThat(snowflakeFailure(output, "leaf.snowflake.zookeeper.connect-string=127.0.0.1:" + freePort(),
				"leaf.snowflake.zookeeper.connection-timeout=1s"))
			.contains("Leaf has no worker ID", "leaf.snowflake.zookeeper.connect-string", "no lease is saved");
	}

	@Test
	void invalidCredentials(CapturedOutput output) {
		assertThat(snowflakeFailure(output, "leaf.snowflake.zookeeper.connect-string=127.0.0.1:1",
				"leaf.snowflake.zookeeper.auth=secret"))
			.contains("leaf.snowflake.zookeeper.auth");
		assertThat(output).doesNotContain("secret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a\u0000b" })
	void stateDirectoryThatIsNotAPath(String folder, CapturedOutput output) {
		assertThat(snowflakeFailure(output, "leaf.snowflake.worker.source=file", "leaf.snowflake.worker.id=1",
				"leaf.snowflake.state-dir=" + folder))
			.contains("leaf.snowflake.state-dir", "It must be the path of a folder");
	}

	@ParameterizedTest
	@ValueSource(strings = { "leaf.segment.enabled=2", "leaf.snowflake.enabled=maybe" })
	void switchThatIsNeitherOnNorOff(String property, CapturedOutput output) {
		assertThat(failure(application(BothModes.class), output, this.database.property(), property))
			.contains(property.substring(0, property.indexOf('=')), "It must be true or false");
	}

	@Test
	void noDataSourceForWorkerIds(CapturedOutput output) {
		assertThat(snowflakeFailure(output, "leaf.snowflake.worker.source=jdbc"))
			.contains("leaf.snowflake.worker.source is jdbc, but there is no DataSource bean", "spring.datasource.url")
			.doesNotContain("Segment mode is enabled");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "h2:mem:x;PASSWORD=secret" })
	void urlThatIsNotAJdbcUrl(String url, CapturedOutput output) {
		assertThat(failure(output, this.database.property(), "leaf.segment.datasource.url=" + url))
			.contains("leaf.segment.datasource.url (originating from", "is set, but is not a JDBC URL")
			.doesNotContain("secret");
	}

	@Test
	void nameThatIsInvalidInZooKeeper(CapturedOutput output) {
		assertThat(snowflakeFailure(output, "leaf.snowflake.zookeeper.connect-string=127.0.0.1:1", "leaf.name=a\tb"))
			.contains("leaf.name is 'a\tb', which is not a valid name for a ZooKeeper node",
					"Choose another leaf.name");
	}

	@Test
	void severalQualifiedDataSources(CapturedOutput output) {
		assertThat(failure(application(TwoQualified.class), output))
			.contains("Several DataSource beans are qualified with @LeafDataSource: one, other")
			.contains("remove it from the others");
	}

	@Test
	void keyThatAnEnvironmentVariableCannotName(CapturedOutput output) {
		SpringApplication application = application(BothModes.class);
		application.setEnvironment(environment("LEAF_KEYS_ORDER_ITEM_MODE", "segment"));
		assertThat(failure(application, output, this.database.property())).contains("LEAF_KEYS_ORDER_ITEM_MODE",
				"leaf.keys[order_item].mode", "SPRING_APPLICATION_JSON");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			value = { "format=ORD | A format must contain the ID: add {number}",
					"format={masked} | A format with {masked} needs a secret: set leaf.keys.order.secret.",
					"format=SO-{period}-{n:6} | only if the key has a period",
					"former-formats[0]={number | A format must have braces only around the name of a part",
					"former-formats={base36} | Texts such as '1' would have one ID in the format '{number}'" })
	void formatThatIsInvalid(String setting, String rule, CapturedOutput output) {
		String property = "leaf.keys.order." + setting.substring(0, setting.indexOf('='));
		assertThat(failure(output, this.database.property(), "leaf.keys.order." + setting)).contains(
				"for configuration property '%s'".formatted(property),
				"Correct the configuration of '%s'".formatted(property), rule);
	}

	@ParameterizedTest
	@ValueSource(strings = { "secret=1:confidential", "secret=confidential-confidential",
			"secret=u:confidential-confidential", "former-secrets[0]=1:confidential",
			"former-secrets[0]=7:confidential-confidential" })
	void secretThatIsInvalid(String setting, CapturedOutput output) {
		String property = "leaf.keys[order_item]." + setting.substring(0, setting.indexOf('='));
		List<String> properties = new ArrayList<>(
				List.of(this.database.property(), "leaf.keys[order_item]." + setting));
		if (setting.startsWith("former")) {
			properties.add("leaf.keys[order_item].secret=7:CONFIDENTIAL-CONFIDENTIAL");
		}
		String failure = failure(output, properties.toArray(String[]::new));
		assertThat(failure).contains("Invalid value of configuration property '%s'".formatted(property),
				"Correct the configuration of '%s'. ".formatted(property));
		assertThat(output.getAll().toLowerCase(Locale.ROOT)).doesNotContain("confidential");
	}

	// for example, if the oldest secret was removed and another one kept its index
	@ParameterizedTest
	@ValueSource(strings = { "former-secrets[1]", "former-secrets[x]" })
	void secretUnderAWrongName(String name, CapturedOutput output) {
		assertThat(
				failure(output, this.database.property(), "leaf.keys.order." + name + "=2:CONFIDENTIAL-CONFIDENTIAL"))
			.contains("leaf.keys.order");
		assertThat(output.getAll()).doesNotContain("CONFIDENTIAL");
	}

	@Test
	void secretInAnEnvironmentVariable(CapturedOutput output) {
		SpringApplication application = application(Application.class);
		application.setEnvironment(environment("LEAF_KEYS_ORDER_SECRET", "1:confidential"));
		assertThat(failure(application, output, this.database.property())).contains("LEAF_KEYS_ORDER_SECRET");
		assertThat(output.getAll()).doesNotContain("confidential");
	}

	@Test
	void theActionContainsTheAdvice(CapturedOutput output) {
		String explanation = failure(output, this.database.property(), "leaf.segment.initialize-schema=never");
		int action = explanation.indexOf("Action:");
		assertThat(explanation.substring(0, action)).contains("There is no table leaf_alloc")
			.doesNotContain("leaf.segment.initialize-schema");
		assertThat(explanation.substring(action)).contains("Create the table with the script for your database",
				"leaf.segment.initialize-schema=always");
	}

	// without leaf.snowflake.state-dir, the lease record would be below the temporary
	// directory, which a restart may clear
	@Test
	void noStateDirectoryForAFixedWorkerId(CapturedOutput output) {
		assertThat(failure(application(SnowflakeOnly.class), output, "leaf.snowflake.enabled=true",
				"leaf.snowflake.worker.source=file", "leaf.snowflake.worker.id=1"))
			.contains("leaf.snowflake.worker.source is file, but leaf.snowflake.state-dir is not set",
					"Set leaf.snowflake.state-dir to a folder that is never cleared");
	}

	@Test
	void invalidStateDirectory(CapturedOutput output) throws IOException {
		Path file = Files.createFile(this.directory.resolve("file"));
		assertThat(snowflakeFailure(output, "leaf.snowflake.worker.source=file", "leaf.snowflake.worker.id=1",
				"leaf.snowflake.state-dir=" + file))
			.contains("leaf.snowflake.state-dir", file.toString());
	}

	@Test
	void stateFileThatIsDamaged(CapturedOutput output) throws IOException {
		String[] properties = { "leaf.snowflake.enabled=true", "leaf.snowflake.worker.source=file",
				"leaf.snowflake.worker.id=1", "leaf.name=orders", "leaf.snowflake.state-dir=" + this.directory };
		application(BothModes.class).run(arguments(properties)).close();
		Path file = this.directory.resolve("orders").resolve("worker-1.state");
		Files.writeString(file, "x".repeat((int) Files.size(file)));
		assertThat(failure(application(BothModes.class), output, properties)).contains(file.toString(), "damaged");
	}

	@Test
	void anotherLayoutThanTheOneRecorded(CapturedOutput output) {
		String[] properties = { "leaf.snowflake.enabled=true", "leaf.snowflake.worker.source=jdbc",
				this.database.property(), "leaf.segment.enabled=false", "leaf.snowflake.state-dir=" + this.directory };
		application(BothModes.class).run(arguments(properties)).close();
		String[] changed = Arrays.copyOf(properties, properties.length + 1);
		changed[properties.length] = "leaf.snowflake.layout.preset=js-safe";
		assertThat(failure(application(BothModes.class), output, changed)).contains("41+10+12 bits", "41+6+6 bits",
				"leaf.snowflake.layout");
	}

	@Test
	void modeThatIsNotEnabled(CapturedOutput output) {
		assertThat(failure(application(BothModes.class), output, this.database.property(),
				"leaf.keys.payment.mode=snowflake"))
			.contains("leaf.keys.payment.mode", "leaf.snowflake.enabled=true");
	}

	private String snowflakeFailure(CapturedOutput output, String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("leaf.snowflake.enabled=true");
		if (all.stream().noneMatch((property) -> property.startsWith("leaf.snowflake.state-dir="))) {
			all.add("leaf.snowflake.state-dir=" + this.directory);
		}
		return failure(application(SnowflakeOnly.class), output, all.toArray(String[]::new));
	}

	private static ConfigurableEnvironment environment(String variable, String value) {
		ConfigurableEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(variable, value)));
		return environment;
	}

	private static String failure(CapturedOutput output, String... properties) {
		return failure(application(Application.class), output, properties);
	}

	private static String failure(SpringApplication application, CapturedOutput output, String... properties) {
		assertThatException().isThrownBy(() -> application.run(arguments(properties)).close());
		String banner = "APPLICATION FAILED TO START";
		assertThat(output).contains(banner);
		return output.getAll().substring(output.getAll().indexOf(banner));
	}

	private static ConfigurableApplicationContext run(String... properties) {
		return application(Application.class).run(arguments(properties));
	}

	private static SpringApplication application(Class<?> configuration) {
		SpringApplication application = new SpringApplication(configuration);
		application.setWebApplicationType(WebApplicationType.NONE);
		return application;
	}

	private static String[] arguments(String... properties) {
		return Arrays.stream(properties).map("--"::concat).toArray(String[]::new);
	}

	private static String unreachable() throws IOException {
		return "spring.datasource.url=jdbc:h2:tcp://127.0.0.1:%d/x".formatted(freePort());
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class })
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class RequestsAnId extends BothModes {

		@Bean
		ApplicationRunner order(IdGenerator ids) {
			return (args) -> ids.nextId("order");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RequestsNoIds extends BothModes {

		@Bean
		ApplicationRunner orders(IdGenerator ids) {
			return (args) -> ids.nextIds("order", 0);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DataSourceInitializationAutoConfiguration.class)
	static class WithScripts extends Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeafSnowflakeAutoConfiguration.class)
	static class SnowflakeOnly {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeafSegmentAutoConfiguration.class)
	static class NoDataSource {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeafSegmentAutoConfiguration.class)
	static class TwoQualified {

		@Bean
		@LeafDataSource
		DataSource one() {
			return DataSources.notHikari("jdbc:h2:mem:one");
		}

		@Bean
		@LeafDataSource
		DataSource other() {
			return DataSources.notHikari("jdbc:h2:mem:other");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeafSegmentAutoConfiguration.class)
	static class TwoDataSources {

		@Bean
		DataSource first() {
			return DataSources.notHikari("jdbc:h2:mem:first");
		}

		@Bean
		DataSource second() {
			return DataSources.notHikari("jdbc:h2:mem:second");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeafSegmentAutoConfiguration.class)
	static class TwoPrimaryDataSources {

		@Bean
		@Primary
		DataSource first() {
			return DataSources.notHikari("jdbc:h2:mem:first");
		}

		@Bean
		@Primary
		DataSource second() {
			return DataSources.notHikari("jdbc:h2:mem:second");
		}

	}

}
