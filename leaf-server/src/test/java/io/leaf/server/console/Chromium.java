// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;

import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.slf4j.LoggerFactory;

/**
 * A headless browser that loads only the pages under test.
 */
final class Chromium implements AutoCloseable {

	private static final File BROWSER = new File(System.getProperty("leaf.chromium", "/usr/bin/chromium"));

	private static final File DRIVER = new File(System.getProperty("leaf.chromedriver", "/usr/bin/chromedriver"));

	private static final String MISSING = """
			%s and %s are required. Install them (apt-get install chromium chromium-driver fonts-dejavu-core) \
			or give other paths (-Dleaf.chromium=… -Dleaf.chromedriver=…), and run: \
			mvn -pl leaf-server -am verify""".formatted(BROWSER, DRIVER);

	private static final boolean INSTALLED = isInstalled();

	private final ChromeDriver driver;

	Chromium(Path profile) {
		if (!INSTALLED) {
			throw new IllegalStateException(MISSING);
		}
		ChromeOptions options = new ChromeOptions();
		options.setBinary(BROWSER);
		options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
				"--disable-background-networking", "--disable-component-update", "--disable-sync",
				"--disable-dev-shm-usage", "--hide-scrollbars", "--user-data-dir=" + profile);
		LoggingPreferences logs = new LoggingPreferences();
		logs.enable(LogType.BROWSER, Level.ALL);
		options.setCapability("goog:loggingPrefs", logs);
		this.driver = new ChromeDriver(new ChromeDriverService.Builder().usingDriverExecutable(DRIVER).build(),
				options);
	}

	private static boolean isInstalled() {
		boolean installed = BROWSER.canExecute() && DRIVER.canExecute();
		if (!installed && !Boolean.getBoolean("leaf.test.full")) {
			LoggerFactory.getLogger(Chromium.class).warn("NOT RUN: LivePage*IT: {}", MISSING);
		}
		return installed;
	}

	/**
	 * Returns whether the tests of the live page are enabled. If no browser is installed,
	 * they are skipped with a warning, except in a full build, in which they fail.
	 */
	static boolean isWanted() {
		return INSTALLED || Boolean.getBoolean("leaf.test.full");
	}

	void open(String address) {
		this.driver.get(address);
	}

	WebElement find(String selector) {
		return this.driver.findElement(By.cssSelector(selector));
	}

	List<WebElement> all(String selector) {
		return this.driver.findElements(By.cssSelector(selector));
	}

	/**
	 * Returns the visible text of an element, or an empty string if there is no such
	 * element.
	 */
	String text(String selector) {
		return (String) run("return document.querySelector(arguments[0])?.innerText ?? ''", selector);
	}

	/**
	 * Returns an attribute, or {@code null} if there is no such element or attribute.
	 */
	String attribute(String selector, String name) {
		return (String) run("return document.querySelector(arguments[0])?.getAttribute(arguments[1])", selector, name);
	}

	Object run(String script, Object... arguments) {
		return this.driver.executeScript(script, arguments);
	}

	Object runAsync(String script, Object... arguments) {
		return this.driver.executeAsyncScript(script, arguments);
	}

	/**
	 * Presses keys in the focused element.
	 */
	void type(CharSequence... keys) {
		this.driver.switchTo().activeElement().sendKeys(keys);
	}

	String title() {
		return this.driver.getTitle();
	}

	void size(int width, int height) {
		this.driver.executeCdpCommand("Emulation.setDeviceMetricsOverride",
				Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
	}

	void prefer(String scheme, String motion) {
		this.driver.executeCdpCommand("Emulation.setEmulatedMedia",
				Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme),
						Map.of("name", "prefers-reduced-motion", "value", motion))));
	}

	/**
	 * Returns the warnings and errors that the browser has logged since the last call.
	 */
	List<String> warnings() {
		return this.driver.manage()
			.logs()
			.get(LogType.BROWSER)
			.getAll()
			.stream()
			.filter((entry) -> entry.getLevel().intValue() >= Level.WARNING.intValue())
			.map(LogEntry::getMessage)
			.toList();
	}

	/**
	 * Takes a screenshot of the window.
	 */
	void screenshot(Path file) {
		try {
			Files.createDirectories(file.getParent());
			Files.write(file, this.driver.getScreenshotAs(OutputType.BYTES));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.driver.quit();
	}

}
