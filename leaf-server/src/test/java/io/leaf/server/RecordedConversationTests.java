// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ClassPathResource;

/**
 * Replays the requests of a conversation that was recorded with a server of Meituan's
 * Leaf, in both error modes.
 */
class RecordedConversationTests {

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID();

	@ParameterizedTest
	@CsvSource({ "true, compatible", "false, default" })
	void clientsGetTheResponsesOfMeituansLeaf(boolean compatibleErrors, String column) throws Exception {
		try (Connection connection = DriverManager.getConnection(this.url);
				ConfigurableApplicationContext server = start(connection, compatibleErrors)) {
			SoftAssertions responses = new SoftAssertions();
			for (Exchange exchange : conversation()) {
				responses.assertThat(send(server, exchange))
					.as(exchange.request())
					.isEqualTo(exchange.response(column));
			}
			responses.assertAll();
		}
	}

	private ConfigurableApplicationContext start(Connection connection, boolean compatibleErrors) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute("CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT NOT NULL,"
					+ " step INT NOT NULL, description VARCHAR(256), update_time TIMESTAMP)");
			statement.execute("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES"
					+ " ('leaf-segment-test', 1, 2000), ('my key', 1, 100), ('a', 5001, 100), ('a.b', 1, 100)");
		}
		return new SpringApplicationBuilder(LeafServerApplication.class).run("--server.port=0",
				"--management.server.port=0", "--leaf.segment.datasource.url=" + this.url,
				"--leaf.server.compatible-errors=" + compatibleErrors);
	}

	private static String send(ConfigurableApplicationContext server, Exchange exchange)
			throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create("http://localhost:%s%s"
				.formatted(server.getEnvironment().getProperty("local.server.port"), exchange.request().split(" ")[1])))
			.method(exchange.request().split(" ")[0], HttpRequest.BodyPublishers.noBody());
		if (exchange.accept() != null) {
			request.header("Accept", exchange.accept());
		}
		HttpResponse<String> response = HttpClient.newHttpClient()
			.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
		return "%d %s %s"
			.formatted(response.statusCode(), response.headers().firstValue("Content-Type").orElse(""),
					response.body().replaceFirst("\"timestamp\":\\d{13}", "\"timestamp\":0"))
			.strip();
	}

	private static List<Exchange> conversation() throws IOException {
		String text = new ClassPathResource("meituan-leaf-conversation.txt").getContentAsString(StandardCharsets.UTF_8);
		List<Exchange> exchanges = new ArrayList<>();
		for (String block : text.split("\n\n")) {
			List<String> lines = block.lines().filter((line) -> !line.startsWith("#")).toList();
			if (!lines.isEmpty()) {
				exchanges.add(Exchange.of(lines));
			}
		}
		return exchanges;
	}

	/**
	 * A request and its responses.
	 *
	 * @param request method and path
	 * @param accept the header, or {@code null} for none
	 * @param responses the responses by the name of the server or mode
	 */
	private record Exchange(String request, String accept, Map<String, String> responses) {

		static Exchange of(List<String> lines) {
			String accept = null;
			Map<String, String> responses = new TreeMap<>();
			for (String line : lines.subList(1, lines.size())) {
				String[] parts = line.split(" ", 2);
				if (parts[0].equals("Accept:")) {
					accept = parts[1];
				}
				else {
					responses.put(parts[0], parts[1]);
				}
			}
			return new Exchange(lines.get(0), accept, responses);
		}

		String response(String column) {
			String response = this.responses.get(column);
			return response.equals("=") ? this.responses.get("meituan") : response;
		}

	}

}
