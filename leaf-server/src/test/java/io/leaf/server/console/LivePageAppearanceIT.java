// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.server.ClientActivity;
import io.leaf.snowflake.SnowflakeIdGenerator;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the appearance and the accessibility of the live page under load and while the
 * database is unavailable: in light and dark mode, and on a phone. Takes screenshots.
 */
@EnabledIf("io.leaf.server.console.Chromium#isWanted")
class LivePageAppearanceIT {

	/**
	 * Whether the screenshots are also written into the documentation. If so, {@code wrk}
	 * requests the IDs over HTTP, instead of a few callers in this process.
	 */
	private static final boolean FOR_THE_DOCS = "docs".equals(System.getProperty("leaf.screenshots"));

	/**
	 * How many IDs of the busiest key are issued before screenshots are taken: enough for
	 * full charts if the screenshots are for the documentation.
	 */
	private static final long ISSUED = FOR_THE_DOCS ? 1_500_000 : 4_000;

	private static final Map<String, Double> RATES = Map.of("order", 420.0, "payment", 180.0, "shipment", 65.0,
			"invoice", 24.0, "coupon", 6.0, "customer", 1.5);

	@TempDir
	private Path directory;

	private LivePageServer server;

	private Load load;

	private Chromium browser;

	@BeforeEach
	void start() throws Exception {
		this.server = new LivePageServer(this.directory.resolve("state"));
		for (String key : RATES.keySet()) {
			this.server.insert(key, 500);
		}
		this.server.insert("refund", 500);
		this.server.start("leaf.segment.target-duration=20s");
		this.browser = new Chromium(this.directory.resolve("profile"));
		this.load = new Load();
		startLoad();
		this.browser.size(1280, 1000);
		this.browser.prefer("light", "no-preference");
		this.browser.open(this.server.address());
	}

	@AfterEach
	void close() {
		if (this.load != null) {
			this.load.close();
		}
		if (this.browser != null) {
			this.browser.close();
		}
		this.server.close();
	}

	private void startLoad() throws IOException {
		if (FOR_THE_DOCS) {
			this.load.request(this.server.apiPort(),
					Stream
						.concat(Stream.of("snowflake/event=900"),
								RATES.entrySet().stream().map((entry) -> "segment/" + entry))
						.toList());
			return;
		}
		SegmentIdGenerator segment = this.server.bean(SegmentIdGenerator.class);
		RATES.forEach((key, rate) -> this.load.draw(segment, key, rate));
		this.load.draw(this.server.bean(SnowflakeIdGenerator.class), "event", 900);
	}

	private static void eventually(ThrowingRunnable assertion) {
		await().atMost(Duration.ofMinutes(8)).pollInterval(Duration.ofMillis(100)).untilAsserted(assertion);
	}

	private void screenshot(String name) {
		this.browser.screenshot(Path.of("target/screenshots", name + ".png"));
		if (FOR_THE_DOCS) {
			this.browser.screenshot(Path.of("../docs/images", name + ".png"));
		}
	}

	@Test
	void thePageFitsIntoEachWindowAndIsAccessible() throws IOException {
		eventually(() -> assertThat(this.server.bean(SegmentIdGenerator.class).status("order").numbers().issued())
			.isGreaterThan(ISSUED));
		eventually(() -> assertThat(this.browser.text("#total-keys")).isEqualTo("6 of 7"));
		eventually(() -> assertThat(this.browser.text("#list > li:first-child .name")).isEqualTo("order"));
		this.browser.find("#list > li:first-child button").click();
		this.browser.run("document.activeElement.blur()");
		decode();
		check("live-page", "light");
		check("live-page-dark", "dark");
		this.browser.size(360, 780);
		checkWidth();
		checkAccessibility();
		this.browser.find("#list > li:first-child button").click();
		check("live-page-phone", "light");
		this.browser.prefer("dark", "reduce");
		checkAccessibility();
		assertThat(this.browser.run("return getComputedStyle(document.querySelector('.bar span')).transitionDuration"))
			.isEqualTo("0s");
		this.browser.size(1280, 960);
		this.browser.prefer("light", "no-preference");
		this.server.stopDatabase();
		eventually(() -> {
			assertThat(this.browser.all(".key[data-state=out]")).isNotEmpty();
			// 'coupon' runs out last: it is in this state for a minute
			assertThat(this.browser.all(".key[data-state=low]")).isNotEmpty();
		});
		check("live-page-database-unavailable", "light");
		this.browser.prefer("dark", "no-preference");
		checkAccessibility();
		assertThat(this.browser.warnings()).isEmpty();
	}

	private void decode() {
		long id = this.server.bean(SnowflakeIdGenerator.class).nextId("event");
		this.browser.find("#id").sendKeys(id + "\n");
		eventually(() -> assertThat(this.browser.text("#decoded")).contains("Sequence"));
		this.browser.run("document.activeElement.blur(); scrollTo(0, 0)");
	}

	private void check(String name, String scheme) throws IOException {
		this.browser.prefer(scheme, "no-preference");
		ClientActivity clients = this.server.bean(ClientActivity.class);
		clients.rangeTaken("shop", "order", 1_000_000);
		clients.leaseWritten("shop", "orders", 17, "10.20.30.40:8080", System.currentTimeMillis() + 3_600_000);
		eventually(() -> assertThat(this.browser.text("#client-ranges td")).isEqualTo("shop"));
		// waits until the charts have been redrawn
		eventually(() -> assertThat(this.browser
			.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"))
			.isEqualTo(true));
		screenshot(name);
		assertThat(this.browser.run("return getComputedStyle(document.body).backgroundColor"))
			.isEqualTo(scheme.equals("dark") ? "rgb(18, 23, 29)" : "rgb(244, 246, 248)");
		checkWidth();
		checkAccessibility();
	}

	private void checkWidth() {
		assertThat(this.browser.run("return document.documentElement.scrollWidth - innerWidth"))
			.as("width beyond the right edge of the window")
			.isEqualTo(0L);
	}

	/**
	 * Checks the accessibility of the page with axe.
	 */
	private void checkAccessibility() throws IOException {
		try (InputStream axe = getClass().getResourceAsStream("/axe.min.js")) {
			this.browser.run(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
		}
		Object violations = this.browser.runAsync(
				"""
						const done = arguments[arguments.length - 1];
						axe.run().then((results) => done(results.violations.flatMap((violation) => violation.nodes.map((node) =>
							`${violation.impact}: ${violation.id}: ${node.html} ${node.failureSummary}`))), (error) => done([String(error)]));
						""");
		assertThat(violations).asInstanceOf(InstanceOfAssertFactories.LIST).isEmpty();
	}

}
