// SPDX-License-Identifier: Apache-2.0

package io.leaf.integrations.liquibase;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import io.leaf.IdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of an application whose database is migrated by Liquibase, with the script in
 * Leaf's jar.
 */
class LiquibaseApplicationTests {

	@TempDir
	private Path folder;

	@Test
	void bothModesStartAfterTheChangeSetsAndTheScriptMayChange() throws SQLException {
		try (Connection database = DriverManager.getConnection("jdbc:h2:mem:liquibase", "sa", "")) {
			JdbcClient sql = JdbcClient.create(new SingleConnectionDataSource(database, true));
			assertThat(runAndDraw()).isEqualTo(1);
			assertThat(executions(sql, "EXECUTED")).isEqualTo(2);
			assertThat(runAndDraw()).isEqualTo(2);
			assertThat(executions(sql, "EXECUTED")).isEqualTo(2);

			// as if an earlier version of the script had been run
			assertThat(sql.sql(
					"UPDATE databasechangelog SET md5sum = '9:00000000000000000000000000000000' WHERE id = 'leaf-tables'")
				.update()).isEqualTo(1);
			// another context: within a process, Liquibase remembers for each context
			// that there is nothing to do
			assertThat(runAndDraw("--spring.liquibase.contexts=other")).isEqualTo(3);
			assertThat(executions(sql, "RERAN")).isEqualTo(1);
		}
	}

	private long runAndDraw(String... arguments) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(LiquibaseApplication.class)
			.properties("spring.config.location=classpath:io/leaf/integrations/liquibase/",
					"leaf.snowflake.state-dir=" + this.folder)
			.run(arguments)) {
			assertThat(context.getBean(SnowflakeIdGenerator.class).nextId("payment")).isPositive();
			return context.getBean(FirstOrder.class).id();
		}
	}

	private static long executions(JdbcClient sql, String type) {
		return sql.sql("SELECT COUNT(*) FROM databasechangelog WHERE exectype = ?")
			.param(type)
			.query(Long.class)
			.single();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class LiquibaseApplication {

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

}
