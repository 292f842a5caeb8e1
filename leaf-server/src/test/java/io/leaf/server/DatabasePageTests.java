// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the page {@code /db}.
 */
class DatabasePageTests {

	@Test
	void theRowsAreReadWithTheCredentialsOfTheServersPool() {
		String database = "jdbc:h2:mem:databasepage";
		JdbcTemplate jdbc = new JdbcTemplate(
				new DriverManagerDataSource(database + ";DB_CLOSE_DELAY=-1", "leaf", "secret"));
		jdbc.execute("CREATE SCHEMA IF NOT EXISTS ids");
		try (ConfigurableApplicationContext server = RangeServers.start(database, "--spring.datasource.username=leaf",
				"--spring.datasource.password=secret", "--leaf.segment.table=ids.numbers")) {
			jdbc.update("INSERT INTO ids.numbers (biz_tag, max_id, step) VALUES ('order', 7, 50)");
			assertThat(page(server).getBody()).contains("<td>order</td><td>7</td><td>50</td><td>20");
		}
	}

	@Test
	void aServerThatTakesItsSegmentsFromAnotherServerHasNoRows() {
		String database = "jdbc:h2:mem:otherserver";
		try (ConfigurableApplicationContext server = RangeServers.start(database);
				ConfigurableApplicationContext next = RangeServers.start(database, "--leaf.segment.source=server",
						"--leaf.server.urls=" + RangeServers.url(server))) {
			ResponseEntity<String> page = page(next);
			assertThat(page.getStatusCode().value()).isEqualTo(404);
			assertThat(page.getBody()).contains("This server has no database");
		}
	}

	private static ResponseEntity<String> page(ConfigurableApplicationContext server) {
		return RestClient.create()
			.get()
			.uri("http://127.0.0.1:" + server.getEnvironment().getProperty("local.management.port") + "/db")
			.retrieve()
			.onStatus(HttpStatusCode::isError, (request, response) -> {
			})
			.toEntity(String.class);
	}

}
