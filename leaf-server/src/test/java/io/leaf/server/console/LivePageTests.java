// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.server.LeafServerApplication;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the files and the events of the live page, as a browser receives them.
 */
@ExtendWith(OutputCaptureExtension.class)
class LivePageTests {

	private static final Path FILES = Path.of("target/classes/page");

	private final HttpClient client = HttpClient.newHttpClient();

	@TempDir
	private Path stateDirectory;

	@AutoClose
	private ConfigurableApplicationContext application;

	private ReportStream stream;

	@BeforeEach
	void start() {
		this.application = new SpringApplicationBuilder(LeafServerApplication.class).profiles("embedded")
			.listeners((ApplicationListener<ContextRefreshedEvent>) (event) -> event.getApplicationContext()
				.getBeansOfType(ReportStream.class)
				.values()
				.forEach((stream) -> this.stream = stream))
			.run("--server.port=0", "--management.server.port=0", "--leaf.segment.datasource.url=jdbc:h2:mem:page",
					"--leaf.snowflake.state-dir=" + this.stateDirectory, "--leaf.segment.refresh-interval=1s",
					"--server.tomcat.connection-timeout=1s");
	}

	private int port(String property) {
		return this.application.getEnvironment().getProperty(property, Integer.class);
	}

	private HttpRequest request(String property, String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + port(property) + path)).build();
	}

	private HttpResponse<String> get(String path) throws Exception {
		return this.client.send(request("local.management.port", path), BodyHandlers.ofString());
	}

	private HttpResponse<InputStream> open() throws Exception {
		return this.client.send(request("local.management.port", "/events"), BodyHandlers.ofInputStream());
	}

	private static BufferedReader reader(HttpResponse<InputStream> response) {
		return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
	}

	@Test
	void nothingIsLoadedFromAnotherServer() throws Exception {
		HttpResponse<String> page = get("/");
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.headers().firstValue("Content-Security-Policy")).hasValueSatisfying(
				(policy) -> assertThat(policy).startsWith("default-src 'self';").doesNotContain("unsafe"));
		assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
		try (Stream<Path> files = Files.list(FILES)) {
			assertThat(files).isNotEmpty()
				.allSatisfy(
						(file) -> assertThat(Files.readString(file).replace("xmlns=\"http://www.w3.org/2000/svg\"", ""))
							.doesNotContain("//localhost")
							.doesNotContainPattern("https?://"));
		}
	}

	@Test
	void keysAreNeverInsertedAsHtml() throws IOException {
		try (Stream<Path> files = Files.list(FILES)) {
			assertThat(files).isNotEmpty()
				.allSatisfy((file) -> assertThat(Files.readString(file)).doesNotContainPattern(
						Pattern.compile("innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(")));
		}
	}

	@Test
	void everyFileOfThePageExists() throws Exception {
		List<String> references = Pattern.compile("(?:src|href)=\"((?:page|webjars)/[^\"]+)\"")
			.matcher(get("/").body())
			.results()
			.map((match) -> match.group(1))
			.toList();
		assertThat(references).hasSizeGreaterThan(3);
		for (String reference : references) {
			assertThat(get("/" + reference).statusCode()).as(reference).isEqualTo(200);
		}
	}

	@Test
	void filesWithAVersionInTheirPathAreCachedAndOthersAreNot() throws Exception {
		assertThat(get("/webjars/chart.js/4.5.1/dist/chart.umd.min.js").headers().firstValue("Cache-Control"))
			.hasValue("max-age=31536000, public, immutable");
		assertThat(get("/page/page.js").headers().firstValue("Cache-Control")).hasValue("no-store");
		assertThat(get("/").headers().firstValue("Cache-Control")).hasValue("no-store");
	}

	@Test
	void thePageIsOnTheManagementPortOnly() throws Exception {
		for (String path : List.of("/", "/events", "/page/page.js", "/webjars/chart.js/4.5.1/dist/chart.umd.min.js")) {
			HttpResponse<String> response = this.client.send(request("local.server.port", path),
					BodyHandlers.ofString());
			assertThat(response.statusCode()).as(path).isEqualTo(404);
		}
	}

	@Test
	void eventsAreSentUntilShutdownAndDoNotDelayIt(CapturedOutput output) throws Exception {
		HttpResponse<InputStream> response = open();
		assertThat(response.headers().firstValue("Content-Type"))
			.hasValueSatisfying((type) -> assertThat(type).startsWith("text/event-stream"));
		assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
		try (BufferedReader events = reader(response)) {
			assertThat(events.readLine()).startsWith("data:{\"time\":").contains("\"whole\":true");
			assertThat(events.readLine()).isEmpty();
			assertThat(events.readLine()).contains("\"whole\":false");
			this.application.close();
			assertThat(events.lines()).allMatch((line) -> line.isEmpty() || line.startsWith("data:"));
		}
		assertThat(output).contains("Graceful shutdown complete").doesNotContain("Graceful shutdown aborted");
	}

	@Test
	void aBrowserAboveTheLimitIsRefused() throws Exception {
		List<CompletableFuture<HttpResponse<InputStream>>> browsers = new ArrayList<>();
		for (int i = 0; i < ReportStream.MAX_VIEWERS; i++) {
			browsers
				.add(this.client.sendAsync(request("local.management.port", "/events"), BodyHandlers.ofInputStream()));
		}
		browsers.forEach((browser) -> assertThat(browser.join().statusCode()).isEqualTo(200));
		HttpResponse<String> refused = get("/events");
		assertThat(refused.statusCode()).isEqualTo(503);
		assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(refused.body()).contains("\"detail\":\"50 browsers already show this page");
		for (CompletableFuture<HttpResponse<InputStream>> browser : browsers) {
			browser.join().body().close();
		}
		await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(this.stream.watching()).isZero());
	}

	@Test
	void theReportContainsTheKeysInUseAndTheServerSearchesTheOthers() throws Exception {
		new JdbcTemplate(new DriverManagerDataSource("jdbc:h2:mem:page", "", ""))
			.update("INSERT INTO leaf_alloc (biz_tag, step) SELECT CONCAT('Key-', x), 1000 FROM SYSTEM_RANGE(1, 1000)");
		this.application.getBean(SegmentIdGenerator.class).nextId("Key-77");
		await().atMost(Duration.ofMinutes(1))
			.until(() -> this.application.getBean(SegmentIdGenerator.class).keyCount() == 1000);
		HttpResponse<InputStream> response = open();
		try (BufferedReader events = reader(response)) {
			assertThat(events.readLine()).contains("\"total\":1000", "\"Key-77\"").doesNotContain("\"Key-78\"");
		}
		String found = get("/keys?search=kEY-7").body();
		assertThat(found).startsWith("{\"total\":111,")
			.contains("\"Key-7\"", "\"Key-70\"")
			.doesNotContain("\"Key-77\"");
		assertThat(Pattern.compile("\"Key-").matcher(found).results()).hasSize(50);
		assertThat(get("/keys").body()).startsWith("{\"total\":1000,");
	}

	@Test
	void aBrowserThatStopsReadingIsDisconnected() throws Exception {
		// makes the report larger than the buffers of a connection
		new JdbcTemplate(new DriverManagerDataSource("jdbc:h2:mem:page", "", "")).update(
				"INSERT INTO leaf_alloc (biz_tag, step) SELECT LPAD(x, 120, '0'), 1000 FROM SYSTEM_RANGE(1, 20000)");
		SegmentIdGenerator generator = this.application.getBean(SegmentIdGenerator.class);
		await().atMost(Duration.ofMinutes(1)).until(() -> generator.keyCount() == 20_000);
		generator.findKeys((key) -> true, 20_000).unused().forEach((key) -> generator.sequence(key).nextIdAsync());
		await().atMost(Duration.ofMinutes(1)).until(() -> generator.usedStatus().size() == 20_000);
		try (Socket socket = new Socket("localhost", port("local.management.port"))) {
			socket.getOutputStream().write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
			await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(this.stream.watching()).isOne());
			await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(this.stream.watching()).isZero());
		}
	}

}
