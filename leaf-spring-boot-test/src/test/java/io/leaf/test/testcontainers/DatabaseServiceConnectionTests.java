// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.testcontainers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.JdbcDatabaseContainer;
import org.testcontainers.utility.DockerImageName;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests an application that gets the address of its database from a container. Leaf's
 * pool also uses this address.
 */
@SpringBootTest(properties = { "spring.datasource.url=jdbc:h2:tcp://127.0.0.1:1/unreachable",
		"leaf.segment.initialize-schema=always", "leaf.segment.auto-create.enabled=true" })
@DirtiesContext
class DatabaseServiceConnectionTests {

	private static final String URL = "jdbc:h2:mem:database-container;DB_CLOSE_DELAY=-1";

	@ServiceConnection
	static final StubDatabaseContainer database = new StubDatabaseContainer(URL);

	@Test
	void segmentsComeFromTheContainer(@Autowired IdGenerator ids) throws SQLException {
		assertThat(ids.nextIds("order", 2)).containsExactly(1, 2);
		try (Connection connection = DriverManager.getConnection(URL, "sa", "")) {
			assertThat(new JdbcTemplate(new SingleConnectionDataSource(connection, true))
				.queryForObject("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'", Long.class)).isEqualTo(1001);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class,
			LeafIdGeneratorAutoConfiguration.class })
	static class Application {

	}

	/**
	 * Behaves like a database container, but uses an in-memory H2 database. It starts no
	 * container, so Docker is not needed.
	 */
	static final class StubDatabaseContainer extends JdbcDatabaseContainer<StubDatabaseContainer> {

		private static final String IMAGE = "mysql:8.4";

		private final String jdbcUrl;

		StubDatabaseContainer(String jdbcUrl) {
			super(DockerImageName.parse(IMAGE));
			this.jdbcUrl = jdbcUrl;
		}

		@Override
		public void start() {
		}

		@Override
		public void stop() {
		}

		@Override
		public String getDockerImageName() {
			return IMAGE;
		}

		@Override
		public String getDriverClassName() {
			return "org.h2.Driver";
		}

		@Override
		public String getJdbcUrl() {
			return this.jdbcUrl;
		}

		@Override
		public String getUsername() {
			return "sa";
		}

		@Override
		public String getPassword() {
			return "";
		}

		@Override
		protected String getTestQueryString() {
			return "SELECT 1";
		}

	}

}
