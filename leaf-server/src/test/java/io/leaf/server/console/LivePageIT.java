// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.server.ClientActivity;
import io.leaf.snowflake.SnowflakeIdGenerator;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tests of the live page in a browser: how an operator uses it, its figures, and their
 * layout.
 */
@EnabledIf("io.leaf.server.console.Chromium#isWanted")
class LivePageIT {

	/**
	 * The beginning of scripts that pass reports to the modules of the page. Each report
	 * has the time and the number of IDs of key "b" that the script states. Key "a"
	 * issues no IDs.
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
				name: "shop", total: 2, keys: whole ? { a: key(0), b: key(issued) } : { b: key(issued) }, removed: [], snowflake: null });
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

	@AutoClose
	private static Chromium browser;

	@TempDir
	private Path stateDirectory;

	private LivePageServer server;

	@BeforeAll
	static void startBrowser() {
		browser = new Chromium(profile);
	}

	@BeforeEach
	void prepare() throws Exception {
		this.server = new LivePageServer(this.stateDirectory);
		browser.size(1280, 900);
		browser.prefer("light", "no-preference");
	}

	@AfterEach
	void close() {
		browser.open("about:blank");
		this.server.close();
		browser.warnings();
	}

	private void open() {
		browser.open(this.server.address());
		eventually(() -> assertThat(browser.text("#connection")).isEqualTo("Live"));
	}

	private void openWithKey() {
		browser.open(this.server.address());
		eventually(() -> assertThat(browser.text(key(1, ".name"))).isNotEmpty());
	}

	private static void eventually(ThrowingRunnable assertion) {
		await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(100)).untilAsserted(assertion);
	}

	private SegmentIdGenerator segment() {
		return this.server.bean(SegmentIdGenerator.class);
	}

	private static String key(int row, String part) {
		return "#list > li:nth-child(%d) %s".formatted(row, part);
	}

	@Test
	void aKeyAppearsUsesItsSegmentAndGetsTheNextOne() {
		this.server.start("leaf.segment.auto-create.step=1000", "leaf.segment.prefetch-at=0.5",
				"leaf.segment.max-step=1000");
		open();
		assertThat(browser.text("#keys .empty")).startsWith("There is no key yet.");
		segment().nextIds("order", 100);
		eventually(() -> assertThat(browser.text(key(1, ".name"))).isEqualTo("order"));
		assertThat(browser.text("#keys .empty")).isEmpty();
		assertThat(browser.text("#shown")).isEqualTo("1 key");
		eventually(() -> assertThat(browser.text(key(1, ".current .amount"))).isEqualTo("900 of 1,000"));
		assertThat(browser.text(key(1, ".next .amount"))).isEqualTo("none yet");
		assertThat(browser.attribute(key(1, ".current .bar"), "aria-valuenow")).isEqualTo("900");
		assertThat(browser.attribute(key(1, ".current .bar"), "aria-valuemax")).isEqualTo("1000");
		assertThat(browser.attribute(key(1, ".current .bar"), "aria-label")).isEqualTo("Current segment of order");
		assertThat(browser.attribute(key(1, ".current .bar span"), "style")).isEqualTo("width: 90%;");
		segment().nextIds("order", 500);
		eventually(() -> assertThat(browser.text(key(1, ".current .amount"))).isEqualTo("400 of 1,000"));
		assertThat(browser.attribute(key(1, ".current .bar span"), "style")).isEqualTo("width: 40%;");
		eventually(() -> assertThat(browser.text(key(1, ".next .amount"))).isEqualTo("1,000 more"));
		assertThat(browser.attribute(key(1, ".next .bar"), "aria-valuenow")).isEqualTo("1000");
		eventually(() -> assertThat(browser.text(key(1, ".rate b"))).matches("[\\d.]+/s").isNotEqualTo("0/s"));
		segment().nextIds("order", 450);
		eventually(() -> assertThat(browser.text(key(1, ".current .amount"))).isEqualTo("950 of 1,000"));
		assertThat(browser.text(key(1, ".fetches b"))).isIn("1", "2");
		assertThat(browser.warnings()).isEmpty();
	}

	@Test
	void theDatabaseBecomesUnavailableAndAvailableAgain() throws Exception {
		this.server.insert("order", 1000);
		this.server.insert("idle", 1000);
		this.server.start("leaf.segment.max-step=1000");
		try (Load load = new Load()) {
			load.draw(segment(), "order", 60);
			open();
			eventually(() -> assertThat(browser.text(key(1, ".next .amount"))).isEqualTo("1,000 more"));
			assertThat(browser.find("#alert").isDisplayed()).isFalse();
			this.server.stopDatabase();
			eventually(() -> assertThat(browser.text("#alert .title"))
				.startsWith("No new segments for 1 of 2 keys since"));
			eventually(() -> assertThat(browser.text("#alert .text")).startsWith("order runs out first, in "));
			assertThat(browser.text("#alert .cause")).startsWith("Cannot reach the database of table leaf_alloc");
			assertThat(browser.text("#announcements")).contains("No new segments for 1 of 2 keys");
			assertThat(browser.text("#total-failing")).isEqualTo("1");
			assertThat(browser.title()).isEqualTo("⚠ Leaf shop");
			assertThat(browser.text(key(1, ".name"))).isEqualTo("order");
			eventually(() -> assertThat(browser.text(key(1, ".state"))).isEqualTo("No numbers left"));
			assertThat(browser.text("#alert .text")).startsWith("order has no numbers left: calls fail.");
			assertThat(browser.text(key(1, ".left b"))).isEqualTo("0 s");
			assertThat(browser.attribute(key(1, ".current .bar"), "aria-valuenow")).isEqualTo("0");
			eventually(() -> assertThat(browser.text("#snowflake-error")).startsWith("The lease is not renewed:"));
			this.server.restartDatabase();
			eventually(() -> assertThat(browser.text("#alert .title"))
				.startsWith("New segments have been available again since"));
			assertThat(browser.text("#announcements")).startsWith("New segments have been available again since");
			assertThat(browser.text("#total-failing")).isEqualTo("0");
			assertThat(browser.title()).isEqualTo("Leaf shop");
			eventually(() -> assertThat(browser.text(key(1, ".state"))).isEmpty());
			eventually(() -> assertThat(browser.find("#snowflake-error").isDisplayed()).isFalse());
		}
	}

	@Test
	void anIdCanBeDecodedWithTheKeyboardAlone() {
		this.server.start();
		open();
		long id = this.server.bean(SnowflakeIdGenerator.class).nextId("payment");
		tabTo("id");
		browser.type(Keys.chord(String.valueOf(id)), Keys.ENTER);
		eventually(() -> assertThat(browser.text("#decoded")).contains(String.valueOf(id), "UTC", "Your time"));
		assertThat(browser.all("#decoded dd").get(3).getText()).as("worker ID").isEqualTo("0");
		assertThat(browser.all("#decoded dd").get(4).getText()).as("sequence").isEqualTo(String.valueOf(id & 0xFFF));
		browser.type(Keys.chord(Keys.CONTROL, "a"), "order", Keys.ENTER);
		eventually(() -> assertThat(browser.text("#decoded"))
			.isEqualTo("'order' is not a snowflake ID. A snowflake ID is a decimal number less than 2^63."));
		assertThat(browser.attribute("#id", "aria-invalid")).isEqualTo("true");
		browser.type(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE, Keys.ENTER);
		eventually(() -> assertThat(browser.text("#decoded")).isEqualTo("Type or paste an ID first."));
		browser.type("1001", Keys.ENTER);
		eventually(() -> assertThat(browser.text("#decoded")).contains("This time is far in the past"));
		assertThat(browser.attribute("#id", "aria-invalid")).isNull();
		assertThat(browser.warnings()).isEmpty();
	}

	@Test
	void aKeyCanBeOpenedWithTheKeyboardAlone() {
		this.server.start();
		segment().nextId("order");
		open();
		eventually(() -> assertThat(browser.text(key(1, ".name"))).isEqualTo("order"));
		tabTo("search");
		browser.type(Keys.TAB, Keys.TAB);
		browser.type(Keys.ENTER);
		assertThat(browser.attribute(key(1, "button"), "aria-expanded")).isEqualTo("true");
		assertThat(browser.attribute(key(1, "button"), "aria-controls"))
			.isEqualTo(browser.attribute(key(1, ".details"), "id"));
		eventually(() -> assertThat(browser.attribute(key(1, ".rate-chart"), "aria-label"))
			.startsWith("IDs per second of order"));
		assertThat(browser.attribute(key(1, ".fetch-chart"), "aria-label")).contains("0 failures");
		assertThat(browser.text(key(1, ".details dl"))).contains("Next number", "Last fetch");
		assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle")).isEqualTo("solid");
		browser.type(Keys.ENTER);
		assertThat(browser.attribute(key(1, "button"), "aria-expanded")).isEqualTo("false");
		assertThat(browser.all(".details")).isEmpty();
		assertThat(browser.warnings()).isEmpty();
	}

	private void tabTo(String id) {
		for (int i = 0; i < 50 && !id.equals(browser.run("return document.activeElement.id")); i++) {
			browser.type(Keys.TAB);
		}
		assertThat(browser.run("return document.activeElement.id")).isEqualTo(id);
	}

	@Test
	void tenThousandKeysCanBeSearchedAndSorted() {
		this.server.insertMany(10_000);
		this.server.start();
		segment().nextIds("key-7777", 500);
		open();
		eventually(() -> assertThat(browser.text("#shown")).isEqualTo("Showing 50 of 10,000 keys"));
		assertThat(browser.all("#list > li")).hasSize(50);
		segment().nextIds("key-7777", 100);
		eventually(() -> assertThat(browser.text(key(1, ".name"))).as("the busiest").isEqualTo("key-7777"));
		browser.find("#search").sendKeys("KEY-99");
		eventually(() -> assertThat(browser.text("#shown")).isEqualTo("Showing 50 of 111 keys that match"));
		assertThat(browser.all("#list > li")).hasSize(50);
		browser.find("#search").sendKeys("99");
		eventually(() -> assertThat(browser.text("#shown")).isEqualTo("1 key matches"));
		eventually(() -> assertThat(browser.text(key(1, ".name"))).isEqualTo("key-9999"));
		assertThat(browser.text(key(1, ".state"))).isEqualTo("Not used yet");
		browser.find("#search").clear();
		browser.find("#sort").sendKeys(Keys.DOWN, Keys.DOWN);
		eventually(() -> assertThat(browser.text(key(1, ".name"))).isEqualTo("key-1"));
		browser.find("#sort").sendKeys(Keys.UP);
		segment().nextIds("key-7777", 100);
		eventually(() -> assertThat(browser.text(key(1, ".name"))).isEqualTo("key-7777"));
		assertThat(browser.warnings()).isEmpty();
	}

	@Test
	void aKeyThatIsUsedForTheFirstTimeStaysExpanded() {
		this.server.insertMany(1000);
		this.server.start();
		open();
		browser.find("#search").sendKeys("key-999");
		eventually(() -> assertThat(browser.text(key(1, ".name"))).isEqualTo("key-999"));
		browser.find(key(1, "button")).click();
		segment().nextIds("key-999", 300);
		eventually(() -> assertThat(browser.text(key(1, ".rate b"))).matches("[\\d.]+/s").isNotEqualTo("0/s"));
		assertThat(browser.attribute(key(1, "button"), "aria-expanded")).as("still expanded").isEqualTo("true");
		assertThat(browser.text("#total-keys")).isEqualTo("1 of 1,000");
		assertThat(browser.warnings()).isEmpty();
	}

	@Test
	void aKeyCanContainAnyText() {
		String key = "<img src=x onerror=\"document.title='hacked'\"><script>document.title='hacked'</script>";
		this.server.start();
		segment().nextId(key);
		open();
		eventually(() -> assertThat(browser.text(key(1, ".name"))).isEqualTo(key));
		browser.find(key(1, "button")).click();
		browser.find("#id").sendKeys(key, Keys.ENTER);
		eventually(() -> assertThat(browser.text("#decoded")).contains("<img"));
		assertThat(browser.all("#list img, #list script, #decoded img, #decoded script")).isEmpty();
		assertThat(browser.title()).isEqualTo("Leaf shop");
		assertThat(browser.warnings()).isEmpty();
	}

	@Test
	void theConnectionIsLostAndRestored() {
		this.server.start();
		segment().nextId("order");
		open();
		String port = String.valueOf(this.server.port());
		this.server.stop();
		eventually(() -> assertThat(browser.text("#connection")).startsWith("Connection lost since ")
			.contains("The figures are from "));
		assertThat(browser.text("#announcements")).isEqualTo("The connection to the server is lost");
		assertThat(browser.text(key(1, ".name"))).as("the last known state").isEqualTo("order");
		this.server.start("management.server.port=" + port);
		eventually(() -> assertThat(browser.text("#connection")).isEqualTo("Live"));
		assertThat(browser.text("#announcements")).isEqualTo("Connected again");
	}

	@Test
	void aBrowserThatIsRefusedShowsTheReason() {
		this.server.start();
		for (int i = 0; i < ReportStream.MAX_VIEWERS; i++) {
			this.server.stream().join(new Viewer(mock()));
		}
		browser.open(this.server.address());
		eventually(() -> assertThat(browser.text("#connection")).startsWith("Connection lost since")
			.contains("50 browsers already show this page"));
	}

	@Test
	void thePageNamesThePropertyThatEnablesADisabledMode() {
		this.server.start("leaf.snowflake.enabled=false");
		open();
		assertThat(browser.text("#snowflake .empty"))
			.isEqualTo("Snowflake mode is not enabled on this server. Set leaf.snowflake.enabled=true.");
		assertThat(browser.find("#snowflake .figures").isDisplayed()).isFalse();
		this.server.stop();
		this.server.start("leaf.segment.enabled=false", "leaf.snowflake.worker.source=file",
				"leaf.snowflake.worker.id=3");
		open();
		assertThat(browser.text("#keys .empty")).isEqualTo(
				"Segment mode is not enabled on this server. Set leaf.segment.datasource.url, and do not set leaf.segment.enabled=false.");
		eventually(() -> assertThat(browser.text("#workers")).isEqualTo("3 (file)"));
	}

	@Test
	void snowflakeModeShowsItsWorkerIdAndFigures() {
		this.server.start();
		open();
		this.server.bean(SnowflakeIdGenerator.class).nextIds("payment", 1000);
		eventually(() -> assertThat(browser.text("#snowflake-rate")).matches("[\\d.,]+/s").isNotEqualTo("0/s"));
		assertThat(browser.text("#workers")).isEqualTo("0 (jdbc)");
		assertThat(browser.text("#horizon")).matches("\\d\\d:\\d\\d:\\d\\d, in (59|60) min");
		assertThat(browser.text("#lead")).matches("\\d+ ms");
		assertThat(browser.text("#offset")).matches("-?\\d+ ms");
		assertThat(browser.text("#days")).contains("2080");
		assertThat(browser.text("#layout-text")).startsWith("41 bits of time in milliseconds since");
		assertThat(browser.attribute("#snowflake-chart", "aria-label")).startsWith("Snowflake IDs per second");
	}

	@Test
	void clientsAreShownWithTheirRangesAndWorkerIds() {
		this.server.insert("order", 1000);
		this.server.start("leaf.server.clients.shop.token=sesame");
		open();
		assertThat(browser.find("#clients").isDisplayed()).isFalse();
		RestClient.create("http://localhost:" + this.server.apiPort())
			.post()
			.uri("/api/segment/allocate/order?size=2000")
			.header("Authorization", "Bearer sesame")
			.retrieve()
			.toBodilessEntity();
		this.server.bean(ClientActivity.class)
			.leaseWritten("shop", "orders", 17, "10.0.0.1:8080", System.currentTimeMillis() + 3_600_000);
		eventually(() -> assertThat(cells("#client-ranges td")).isEqualTo("shop|order|1|2,000"));
		eventually(() -> assertThat(cells("#client-leases td"))
			.matches("shop\\|orders 17\\|10\\.0\\.0\\.1:8080\\|\\d\\d:\\d\\d:\\d\\d"));
		assertThat(browser.find("#clients .more").getText()).isEmpty();
		assertThat(browser.warnings()).isEmpty();
	}

	private static String cells(String selector) {
		return browser.all(selector).stream().map(WebElement::getText).collect(Collectors.joining("|"));
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
	void keysAreSortedByNameUntilTheirRatesAreKnown() {
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
	void ratesAreUnknownAgainAfterTheConnectionWasInterrupted() {
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
		for (int i = 0; i < 5; i++) {
			segment().nextIds("order", 10);
		}
		openWithKey();
		eventually(() -> {
			long fetches = segment().status("order").fetches();
			assertThat(fetches).isGreaterThanOrEqualTo(5);
			assertThat(browser.text(key(1, ".fetches b"))).isEqualTo(String.valueOf(fetches));
		});
		assertThat(browser.text(key(1, ".failures b"))).isEqualTo("0");
		assertThat(browser.text("#total-keys")).isEqualTo("1 of 1");
	}

	@Test
	void theTitleOfThePageIsOnOneLineOnAPhone() {
		this.server.start("spring.application.name=order-identifiers-of-europe");
		segment().nextId("order");
		browser.size(360, 780);
		openWithKey();
		assertThat(lines("header h1", "Leaf")).isEqualTo(1L);
		assertThat(browser.run("return document.documentElement.scrollWidth - innerWidth")).isEqualTo(0L);
	}

	@Test
	void aLongKeyIsOnOneLineIfThereIsSpace() {
		this.server.start();
		segment().nextId("payment-attempts.settled");
		openWithKey();
		assertThat(lines("#list .name", "payment")).isEqualTo(1L);
		browser.size(1600, 900);
		segment().nextId("payment-attempts.europe.settled");
		eventually(() -> assertThat(browser.all("#list > li")).hasSize(2));
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
