// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.nio.file.Path;
import java.time.Duration;

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tests of the live page in a browser, as an operator of the server uses it.
 */
@EnabledIf("io.leaf.server.console.Chromium#isWanted")
class LivePageIT {

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
		browser.prefer("light", "no-preference");
	}

	@AfterEach
	void close() {
		browser.open("about:blank");
		this.server.close();
		browser.complaints();
	}

	private void open() {
		browser.open(this.server.address());
		eventually(() -> assertThat(browser.text("#connection")).isEqualTo("Live"));
	}

	private static void eventually(ThrowingRunnable assertion) {
		patience().untilAsserted(assertion);
	}

	private static ConditionFactory patience() {
		return await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(100));
	}

	private SegmentIdGenerator segment() {
		return this.server.bean(SegmentIdGenerator.class);
	}

	private static String key(int row, String part) {
		return "#list > li:nth-child(%d) %s".formatted(row, part);
	}

	@Test
	void aKeyAppearsDrainsAndGetsANewSegment() {
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
		assertThat(browser.complaints()).isEmpty();
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
				.startsWith("New segments are available again since"));
			assertThat(browser.text("#announcements")).startsWith("New segments are available again since");
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
			.isEqualTo("'order' is not a snowflake ID. It must be a decimal number."));
		assertThat(browser.attribute("#id", "aria-invalid")).isEqualTo("true");
		browser.type(Keys.chord(Keys.CONTROL, "a"), Keys.DELETE, Keys.ENTER);
		eventually(() -> assertThat(browser.text("#decoded")).isEqualTo("Type or paste an ID first."));
		browser.type("1001", Keys.ENTER);
		eventually(() -> assertThat(browser.text("#decoded")).contains("This time is far in the past"));
		assertThat(browser.attribute("#id", "aria-invalid")).isNull();
		assertThat(browser.complaints()).isEmpty();
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
		assertThat(browser.complaints()).isEmpty();
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
		assertThat(browser.text("#shown")).isEqualTo("Showing 50 of 111 keys that match");
		browser.find("#search").sendKeys("99");
		assertThat(browser.text("#shown")).isEqualTo("1 key matches");
		assertThat(browser.text(key(1, ".name"))).isEqualTo("key-9999");
		assertThat(browser.text(key(1, ".state"))).isEqualTo("Not used yet");
		browser.find("#search").clear();
		browser.find("#sort").sendKeys(Keys.DOWN, Keys.DOWN);
		eventually(() -> assertThat(browser.text(key(1, ".name"))).isEqualTo("key-1"));
		browser.find("#sort").sendKeys(Keys.UP);
		segment().nextIds("key-7777", 100);
		eventually(() -> assertThat(browser.text(key(1, ".name"))).isEqualTo("key-7777"));
		assertThat(browser.complaints()).isEmpty();
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
		assertThat(browser.complaints()).isEmpty();
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
			.contains("50 browsers watch this server already"));
	}

	@Test
	void aDisabledModeNamesThePropertyThatEnablesIt() {
		this.server.start("leaf.snowflake.enabled=false");
		open();
		assertThat(browser.text("#snowflake .empty"))
			.isEqualTo("Snowflake mode is disabled on this server (leaf.snowflake.enabled=false)");
		assertThat(browser.find("#snowflake .figures").isDisplayed()).isFalse();
		this.server.stop();
		this.server.start("leaf.segment.enabled=false", "leaf.snowflake.worker.source=file",
				"leaf.snowflake.worker.id=3");
		open();
		assertThat(browser.text("#keys .empty"))
			.isEqualTo("Segment mode is disabled on this server (leaf.segment.enabled=false)");
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

}
