// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.leaf.segment.SegmentIdGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests in a browser the figures of the live page and their layout.
 */
@EnabledIf("io.leaf.server.console.Chromium#isWanted")
class LivePageFiguresIT {

	/**
	 * Passes reports to the modules of the page at times given by the test. Key "a"
	 * issues no IDs, key "b" issues 100 per second.
	 */
	private static final String REPORTS = """
			const done = arguments[arguments.length - 1];
			const { Model } = await import("/page/model.js");
			const { intervals } = await import("/page/history.js");
			const { showKeys } = await import("/page/keys.js");
			const { showSummary } = await import("/page/summary.js");
			const START = Date.parse("2026-11-22T10:00:02Z");
			const model = new Model();
			const key = (issued) => ({ current: { from: "1", to: "1000001", next: "1", remaining: 1000000 - issued }, next: null,
				step: 1000000, rowStep: 1000000, issued, fetches: 1, failures: 0, waits: 0, lastFetch: null, lastError: null });
			const report = (second, whole, issued) => model.apply({ time: new Date(START + second * 1000).toISOString(), whole,
				name: "shop", keys: whole ? { a: key(0), b: key(issued) } : { b: key(issued) }, removed: [], snowflake: null });
			const shown = () => {
				showSummary(model);
				showKeys(model);
				return [...document.querySelectorAll("#list > li")].map((row) => row.querySelector(".name").textContent + " "
						+ row.querySelector(".rate b").textContent + " " + row.querySelector(".left b").textContent)
					.concat(document.getElementById("total-rate").textContent).join("; ");
			};
			const perSecond = () => model.keys.get("b").history.steps("issued", intervals(model.time, 5_000), model.since)
				.filter((step) => step !== null).map((step) => step / 5).join(" ");
			""";

	@TempDir
	private static Path profile;

	private static Chromium browser;

	@TempDir
	private Path stateDirectory;

	private LivePageServer server;

	@BeforeAll
	static void startBrowser() {
		browser = new Chromium(profile);
	}

	@AfterAll
	static void closeBrowser() {
		if (browser != null) {
			browser.close();
		}
	}

	@BeforeEach
	void prepare() throws Exception {
		this.server = new LivePageServer(this.stateDirectory);
		browser.size(1280, 900);
	}

	@AfterEach
	void close() {
		browser.open("about:blank");
		this.server.close();
		browser.complaints();
	}

	private void open() {
		browser.open(this.server.address());
		await().atMost(Duration.ofMinutes(2))
			.untilAsserted(() -> assertThat(browser.text("#list > li:first-child .name")).isNotEmpty());
	}

	/**
	 * Shows reports with the modules of the page, on a page that is not connected.
	 */
	private Object shown(String script) {
		this.server.start();
		browser.open(this.server.address() + "page/index.html");
		return browser.runAsync("(async (...arguments) => {" + REPORTS + script
				+ "})(...arguments).catch((error) => arguments[arguments.length - 1]([String(error)]))");
	}

	@Test
	void noRateIsShownBeforeItIsKnownAndKeysAreSortedByName() {
		assertThat(shown("""
				report(0, true, 5000);
				const first = shown();
				report(1, false, 5100);
				const second = shown();
				[2, 3, 4, 5].forEach((second) => report(second, false, 5000 + second * 100));
				done([first, second, shown()]);
				""")).isEqualTo(List.of("a – –; b – –; –", "a – –; b – –; –", "b 100/s 2 h; a 0/s –; 100"));
	}

	@Test
	void aChartStartsWithTheFirstCompleteInterval() {
		assertThat(shown("""
				for (let second = 0; second <= 13; second++) {
					report(second, second === 0, second * 100);
				}
				done([perSecond()]);
				""")).isEqualTo(List.of("100 100"));
	}

	@Test
	void afterAnInterruptionOfTheConnectionRatesAreUnknownAgain() {
		assertThat(shown("""
				[0, 1, 2, 3, 4, 5].forEach((second) => report(second, second === 0, second * 100));
				report(65, true, 6500);
				const first = shown();
				[66, 67, 68, 69, 70].forEach((second) => report(second, false, second * 100));
				done([first, shown(), perSecond()]);
				""")).isEqualTo(List.of("a – –; b – –; –", "b 100/s 2 h; a 0/s –; 100", ""));
	}

	@Test
	void fetchesAreCountedByTheServerSinceStartup() {
		this.server.start("leaf.segment.auto-create.step=10", "leaf.segment.max-step=10");
		SegmentIdGenerator segment = this.server.bean(SegmentIdGenerator.class);
		for (int i = 0; i < 5; i++) {
			segment.nextIds("order", 10);
		}
		open();
		await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
			long fetches = segment.status("order").fetches();
			assertThat(fetches).isGreaterThanOrEqualTo(5);
			assertThat(browser.text("#list > li:first-child .fetches b")).isEqualTo(String.valueOf(fetches));
		});
		assertThat(browser.text("#list > li:first-child .failures b")).isEqualTo("0");
		assertThat(browser.text("#total-keys")).isEqualTo("1 of 1");
	}

	@Test
	void theTitleOfThePageIsOnOneLineOnAPhone() {
		this.server.start("spring.application.name=order-identifiers-of-europe");
		this.server.bean(SegmentIdGenerator.class).nextId("order");
		browser.size(360, 780);
		open();
		assertThat(lines("header h1", "Leaf")).isEqualTo(1L);
		assertThat(browser.run("return document.documentElement.scrollWidth - innerWidth")).isEqualTo(0L);
	}

	@Test
	void aLongKeyIsOnOneLineIfThereIsSpace() {
		this.server.start();
		this.server.bean(SegmentIdGenerator.class).nextId("payment-attempts.settled");
		open();
		assertThat(lines("#list .name", "payment")).isEqualTo(1L);
		browser.size(1600, 900);
		this.server.bean(SegmentIdGenerator.class).nextId("payment-attempts.europe.settled");
		await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertThat(browser.all("#list > li")).hasSize(2));
		assertThat(lines("#list > li:last-child .name", "payment")).isEqualTo(1L);
	}

	/**
	 * Returns the number of lines that a text occupies.
	 */
	private static Object lines(String selector, String text) {
		return browser.run("""
				const texts = document.createTreeWalker(document.querySelector(arguments[0]), NodeFilter.SHOW_TEXT);
				while (!texts.nextNode().data.includes(arguments[1]));
				const range = document.createRange();
				range.selectNodeContents(texts.currentNode);
				return new Set([...range.getClientRects()].map((rectangle) => rectangle.top)).size;
				""", selector, text);
	}

}
