// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.DataSources;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.jdbc.TableName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class LeafSchemaInitializerTests {

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class))
		.withPropertyValues(this.database.property(), "leaf.segment.auto-create.enabled=true");

	@Test
	void embeddedIsTheDefaultAndCreatesTheTable() {
		this.contextRunner.run((context) -> assertThat(this.database.hasTable("leaf_alloc")).isTrue());
	}

	@Test
	void theWorkerTableIsCreated() {
		this.contextRunner.run((context) -> assertThat(this.database.hasTable("leaf_worker")).isTrue());
	}

	@ParameterizedTest
	@CsvSource({ "ids, PUBLIC", "app.ids, APP", "app.ids_of_leaf_worker, APP", "app.a$1, APP",
			"leaf_alloc.t, LEAF_ALLOC" })
	void theWorkerTableIsInTheSchemaOfTheSegmentTable(String table, String schema) {
		this.database.execute("CREATE SCHEMA app");
		this.database.execute("CREATE SCHEMA leaf_alloc");
		this.contextRunner.withPropertyValues("leaf.segment.table=" + table).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(tables(context.getBean(DataSource.class), schema)).containsExactlyInAnyOrder("LEAF_WORKER",
					table.substring(table.indexOf('.') + 1).toUpperCase(Locale.ROOT));
		});
	}

	@Test
	void canRunAgain() {
		this.contextRunner.run((context) -> context.getBean(IdGenerator.class).nextId("order"));
		long maxId = this.database.maxId("order");
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.database.maxId("order")).isEqualTo(maxId);
	}

	@Test
	void tableIsCreatedAfterFailedConnections() {
		AtomicInteger attempts = new AtomicInteger();
		initialize(attempts, 5, () -> 0L);
		assertThat(attempts).hasValueGreaterThan(5);
		assertThat(this.database.hasTable("leaf_alloc")).isTrue();
	}

	@Test
	void connectionsAreAttemptedForTenSeconds() {
		AtomicInteger attempts = new AtomicInteger();
		initialize(attempts, Integer.MAX_VALUE, () -> TimeUnit.SECONDS.toNanos(4L * attempts.get()));
		assertThat(attempts).hasValue(3);
		assertThat(this.database.hasTable("leaf_alloc")).isFalse();
	}

	@Test
	void connectionsAreAttemptedAtMostTenTimes() {
		AtomicInteger attempts = new AtomicInteger();
		initialize(attempts, Integer.MAX_VALUE, () -> 0L);
		assertThat(attempts).hasValue(10);
	}

	private void initialize(AtomicInteger attempts, int failures, LongSupplier nanoTime) {
		DataSource dataSource = new DelegatingDataSource(
				new DriverManagerDataSource(this.database.url(), MemoryDatabase.USERNAME, "")) {

			@Override
			public Connection getConnection() throws SQLException {
				if (attempts.incrementAndGet() <= failures) {
					throw new SQLTransientConnectionException("not yet");
				}
				return super.getConnection();
			}

		};
		new LeafSchemaInitializer(dataSource, DatabaseInitializationMode.ALWAYS, new TableName("leaf_alloc"), nanoTime)
			.initializeDatabase();
	}

	@Test
	void neverCreatesNoTable() {
		this.contextRunner.withPropertyValues("leaf.segment.initialize-schema=never", "leaf.segment.fail-fast=false")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(this.database.hasTable("leaf_alloc")).isFalse();
			});
	}

	@Test
	void embeddedCreatesNoTableInAFile(@TempDir Path folder) {
		this.contextRunner.withPropertyValues(file(folder), "leaf.segment.fail-fast=false").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(tables(context.getBean(DataSource.class))).doesNotContain("LEAF_ALLOC");
		});
	}

	@Test
	void alwaysCreatesTheTableInAFile(@TempDir Path folder) {
		ApplicationContextRunner always = this.contextRunner.withPropertyValues(file(folder),
				"leaf.segment.initialize-schema=always");
		always
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextIds("order", 2)).containsExactly(1, 2));
		always.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(3));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ids", "app.ids", "PUBLIC.leaf_alloc_2" })
	void createsACustomTable(String table) {
		this.database.execute("CREATE SCHEMA app");
		this.contextRunner.withPropertyValues("leaf.segment.table=" + table).run((context) -> {
			assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(1);
			assertThat(this.database.number("SELECT COUNT(*) FROM " + table)).isEqualTo(1);
			assertThat(this.database.hasTable("leaf_alloc")).isFalse();
		});
	}

	@Test
	void failingScriptAbortsStartup() {
		this.database.execute("CREATE USER reader PASSWORD 'secret'");
		this.contextRunner
			.withPropertyValues("spring.datasource.username=reader", "spring.datasource.password=secret",
					"leaf.segment.initialize-schema=always", "leaf.segment.fail-fast=false")
			.run((context) -> assertThat(context).getFailure().satisfies((failure) -> {
				LeafStartupException ex = startupException(failure);
				assertThat(ex).hasMessageStartingWith(
						"Leaf's tables (leaf_alloc and others) cannot be created: Not enough rights");
				assertThat(ex.getAction()).contains("schema-h2.sql", "leaf.segment.initialize-schema=never");
			}));
	}

	@Test
	void databaseWithoutAScriptAbortsStartup() {
		this.contextRunner.withBean(DataSource.class, () -> DataSources.calling(this.database.url(), "Teradata"))
			.withPropertyValues("leaf.segment.initialize-schema=always")
			.run((context) -> assertThat(context).getFailure()
				.satisfies((failure) -> assertThat(startupException(failure)).hasMessage(
						"Leaf's tables (leaf_alloc and others) cannot be created, because there is no script for Teradata.")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "h2", "mysql", "mariadb", "postgresql" })
	void scriptsInTheJarAreThoseInTheFolder(String platform) throws IOException {
		String name = "schema-%s.sql".formatted(platform);
		assertThat(new ClassPathResource("io/leaf/segment/jdbc/" + name).getContentAsString(StandardCharsets.UTF_8))
			.isEqualTo(Files.readString(Path.of("../sql", name)))
			.contains("CREATE TABLE IF NOT EXISTS leaf_alloc", "CREATE TABLE IF NOT EXISTS leaf_worker");
	}

	@Test
	void noOtherScripts() throws IOException {
		try (Stream<Path> files = Files.list(Path.of("../sql"))) {
			assertThat(files.map((file) -> file.getFileName().toString()).filter((name) -> name.endsWith(".sql")))
				.containsExactlyInAnyOrder("schema-h2.sql", "schema-mysql.sql", "schema-mariadb.sql",
						"schema-postgresql.sql");
		}
	}

	private static String file(Path folder) {
		return "spring.datasource.url=jdbc:h2:file:" + folder.resolve("leaf").toAbsolutePath();
	}

	private static List<String> tables(DataSource dataSource) {
		return new JdbcTemplate(dataSource).queryForList("SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES",
				String.class);
	}

	private static List<String> tables(DataSource dataSource, String schema) {
		return new JdbcTemplate(dataSource).queryForList(
				"SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = ?", String.class, schema);
	}

	private static LeafStartupException startupException(Throwable failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof LeafStartupException)) {
			cause = cause.getCause();
		}
		assertThat(cause).as("LeafStartupException under " + failure).isNotNull();
		return (LeafStartupException) cause;
	}

}
