// SPDX-License-Identifier: Apache-2.0

package io.leaf.integrations.flyway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import io.leaf.IdGenerator;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.snowflake.SnowflakeIdGenerator;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.migration.BaseJavaMigration;
import org.flywaydb.core.api.migration.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests of an application whose database is migrated by Flyway.
 */
class FlywayApplicationTests {

	@TempDir
	private Path folder;

	@Test
	void bothModesStartAfterTheMigrationsThatCreateTheirTables() throws IOException {
		copyScriptOfTheJar();
		try (ConfigurableApplicationContext context = run(FlywayApplication.class, "--spring.profiles.active=migration",
				"--spring.flyway.locations=filesystem:%s,classpath:io/leaf/integrations/flyway/migration"
					.formatted(this.folder))) {
			assertThat(context.getBean(FirstOrder.class).id()).isEqualTo(1);
			assertThat(context.getBean(SnowflakeIdGenerator.class).nextId("payment")).isPositive();
			assertThat(texts(context,
					"SELECT \"script\" FROM \"flyway_schema_history\" WHERE \"version\" IS NOT NULL ORDER BY \"installed_rank\""))
				.containsExactly("V1__leaf.sql", "V2__order_key.sql");
			assertThat(texts(context, "SELECT biz_tag FROM leaf_alloc")).containsExactly("order");
		}
	}

	@Test
	void aSchemaWithTablesThatLeafHasCreatedNeedsABaseline() throws IOException, SQLException {
		copyScriptOfTheJar();
		String[] arguments = { "--spring.profiles.active=migration",
				"--spring.flyway.locations=filesystem:%s,classpath:io/leaf/integrations/flyway/migration"
					.formatted(this.folder) };
		try (Connection database = DriverManager.getConnection("jdbc:h2:mem:flyway", "sa", "");
				Statement statement = database.createStatement()) {
			statement.execute("RUNSCRIPT FROM 'classpath:io/leaf/segment/jdbc/schema-h2.sql'");
			assertThatException().isThrownBy(() -> run(FlywayApplication.class, arguments).close())
				.withRootCauseInstanceOf(FlywayException.class)
				.havingRootCause()
				.withMessageContaining("non-empty schema");
			try (ConfigurableApplicationContext context = run(FlywayApplication.class, arguments[0], arguments[1],
					"--spring.flyway.baseline-on-migrate=true", "--spring.flyway.baseline-version=0")) {
				assertThat(context.getBean(FirstOrder.class).id()).isEqualTo(1);
				assertThat(texts(context,
						"SELECT \"type\" FROM \"flyway_schema_history\" WHERE \"version\" IS NOT NULL ORDER BY \"installed_rank\""))
					.containsExactly("BASELINE", "SQL", "SQL");
			}
		}
	}

	@Test
	void leafCreatesItsTablesAfterTheMigrations() throws IOException {
		// Flyway refuses to start on a schema that already has tables
		Files.writeString(this.folder.resolve("V1__orders.sql"), "CREATE TABLE orders (id BIGINT PRIMARY KEY);");
		try (ConfigurableApplicationContext context = run(FlywayApplication.class,
				"--spring.flyway.locations=filesystem:" + this.folder, "--leaf.segment.auto-create.enabled=true")) {
			assertThat(context.getBean(FirstOrder.class).id()).isEqualTo(1);
			assertThat(texts(context, "SELECT COUNT(*) FROM orders")).containsExactly("0");
		}
	}

	@Test
	void startupFailsIfAMigrationDrawsIds() throws IOException {
		copyScriptOfTheJar();
		assertThatException()
			.isThrownBy(() -> run(MigrationWithIds.class, "--spring.profiles.active=migration",
					"--spring.flyway.locations=filesystem:" + this.folder)
				.close())
			.withRootCauseInstanceOf(BeanCurrentlyInCreationException.class);
	}

	private void copyScriptOfTheJar() throws IOException {
		try (InputStream script = JdbcSegmentStore.class.getResourceAsStream("schema-h2.sql")) {
			assertThat(script).isNotNull();
			Files.copy(script, this.folder.resolve("V1__leaf.sql"));
		}
	}

	private ConfigurableApplicationContext run(Class<?> application, String... arguments) {
		return new SpringApplicationBuilder(application)
			.properties("spring.config.location=classpath:io/leaf/integrations/flyway/",
					"leaf.snowflake.state-dir=" + this.folder)
			.run(arguments);
	}

	private static List<String> texts(ConfigurableApplicationContext context, String query) {
		return context.getBean(JdbcClient.class).sql(query).query(String.class).list();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class FlywayApplication {

		@Bean
		FirstOrder firstOrder(IdGenerator ids) {
			return new FirstOrder(ids.nextId("order"));
		}

	}

	/**
	 * A bean with an ID that is drawn when the bean is created, before most other beans.
	 *
	 * @param id the ID
	 */
	record FirstOrder(long id) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(V2__Numbers.class)
	static class MigrationWithIds {

	}

	/**
	 * A migration that is a bean. Flyway takes its version from the name of the class.
	 */
	static class V2__Numbers extends BaseJavaMigration {

		private final IdGenerator ids;

		V2__Numbers(IdGenerator ids) {
			this.ids = ids;
		}

		@Override
		public void migrate(Context context) {
			this.ids.nextId("order");
		}

	}

}
