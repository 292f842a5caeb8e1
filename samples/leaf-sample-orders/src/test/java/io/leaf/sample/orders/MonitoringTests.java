// SPDX-License-Identifier: Apache-2.0

package io.leaf.sample.orders;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the metrics that the dashboard, the alerts and the documentation use with
 * those that an application exports to Prometheus.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "management.prometheus.metrics.export.enabled=true")
// otherwise its context would keep the worker ID that the other tests expect
@DirtiesContext
class MonitoringTests {

	private static final Path ROOT = Path.of("../..");

	private static final Pattern METER = Pattern.compile("\\bleaf_[a-z_]+");

	@LocalServerPort
	private int port;

	private Set<String> scraped;

	@BeforeEach
	void drawAndScrape() {
		RestClient client = RestClient.create("http://localhost:" + this.port);
		post(client, "/orders", Map.of("item", "tea", "quantity", 2));
		post(client, "/payments", Map.of("orderId", 1, "cents", 750));
		this.scraped = meters(client.get().uri("/actuator/prometheus").retrieve().body(String.class));
	}

	private static void post(RestClient client, String path, Map<String, ?> body) {
		client.post().uri(path).contentType(MediaType.APPLICATION_JSON).body(body).retrieve().toBodilessEntity();
	}

	private static Set<String> meters(String text) {
		return METER.matcher(text.replaceAll("(?m)^#.*$", ""))
			.results()
			.map((match) -> match.group())
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static String read(String file) throws IOException {
		return Files.readString(ROOT.resolve(file));
	}

	@ParameterizedTest
	@ValueSource(strings = { "monitoring/grafana/dashboards/leaf.json", "monitoring/prometheus/leaf-alerts.yml" })
	void everyMeterOfTheFileIsExported(String file) throws IOException {
		assertThat(meters(read(file))).hasSizeGreaterThan(5).isSubsetOf(this.scraped);
	}

	@Test
	void everyMeterIsOnThePageAndTheDashboard() throws IOException {
		Set<String> meters = new TreeSet<>(this.scraped);
		// the long task timer that each observation has in addition to its timer
		meters.removeIf((meter) -> meter.contains("_active_"));
		String page = read("docs/observability.md").replaceAll("`(leaf_[a-z_]+?)_count`, `_sum`(, `_max`)?",
				"`$1_count`, `$1_sum`, `$1_max`");
		assertThat(meters(page)).containsAll(meters);
		Set<String> shown = meters(read("monitoring/grafana/dashboards/leaf.json"));
		meters.removeIf((meter) -> meter.equals("leaf_snowflake_lease_seconds_max"));
		assertThat(shown).containsAll(meters);
	}

}
