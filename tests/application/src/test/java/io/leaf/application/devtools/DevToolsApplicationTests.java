// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.devtools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.leaf.application.ApplicationProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests restarts by DevTools in a separate process. The classes of the application are in
 * a folder, and all others, including those of Leaf, are in jars.
 */
class DevToolsApplicationTests {

	private static final Path TEST_CLASSES = Path.of("target", "test-classes").toAbsolutePath();

	private static final String APPLICATION = "io/leaf/application/devtools";

	private static final int STARTS = 4;

	private static final Pattern ORDERS = Pattern.compile("(?m)^\\d+ (?:\\[[\\d, ]+]|at the end)$");

	private static final Pattern PAYMENTS = Pattern.compile("(?m)^payments \\[[\\d, ]+]$");

	private static final Pattern ORDERS_AT_START = Pattern.compile("(?m)^\\d+ \\[");

	private static final Pattern PAYMENTS_AT_START = Pattern.compile("(?m)^payments \\[\\d+,");

	private static final Pattern NUMBER = Pattern.compile("\\d+");

	private static final Pattern THREAD = Pattern.compile("(?m)^\"(leaf-[^\"]+)\"");

	private static final Pattern CLASS_LOADER = Pattern.compile("RestartClassLoader");

	@TempDir
	private Path folder;

	@Test
	void restartsContinueTheIdsAndLeaveNoThreadsOrClassLoaders() throws Exception {
		Path classes = Files.createDirectories(this.folder.resolve("classes").resolve(APPLICATION));
		copyApplication(classes);
		Path configuration = classes.resolve("application.yaml");
		String database = "jdbc:h2:file:" + this.folder.resolve("shop") + ";DB_CLOSE_ON_EXIT=FALSE";
		String output;
		try (ApplicationProcess application = ApplicationProcess.start(this.folder, classPath(),
				ShopApplication.class.getName(), List.of(),
				List.of("--spring.config.location=classpath:" + APPLICATION + "/application.yaml",
						"--spring.datasource.url=" + database,
						"--leaf.snowflake.state-dir=" + this.folder.resolve("state")))) {
			awaitStart(application, 1);
			Files.setLastModifiedTime(classes.resolve("ShopApplication.class"), FileTime.fromMillis(0));
			awaitStart(application, 2);
			Files.writeString(configuration, Files.readString(configuration).replace("source: file", "source: jdbc"));
			awaitStart(application, 3);
			Files.setLastModifiedTime(classes.resolve("ShopApplication.class"), FileTime.fromMillis(1000));
			awaitStart(application, STARTS);
			application.stop();
			output = application.output();
		}
		assertThat(output).contains("is leased (file)", "is leased (jdbc)").doesNotContain(" WARN ", " ERROR ");
		assertThat(numbers(ORDERS, output)).containsExactlyElementsOf(numbersFromOne(STARTS * 6));
		assertThat(numbers(PAYMENTS, output)).hasSize(STARTS * 6).doesNotHaveDuplicates();
		assertThat(maxId(database, "order")).isEqualTo(STARTS * 6 + 1);
	}

	/**
	 * Copies the classes that a developer would compile into a separate folder.
	 */
	private static void copyApplication(Path folder) throws IOException {
		try (Stream<Path> files = Files.list(TEST_CLASSES.resolve(APPLICATION))) {
			for (Path file : files.toList()) {
				String name = file.getFileName().toString();
				if (name.startsWith("ShopApplication") || name.equals("application.yaml")) {
					Files.copy(file, folder.resolve(name));
				}
			}
		}
	}

	/**
	 * Returns the classpath of the application. In a build of all modules, Leaf's classes
	 * can be in folders, from which DevTools would reload them with each restart, so they
	 * are packaged into jars.
	 */
	private List<Path> classPath() throws IOException {
		List<Path> classPath = new ArrayList<>(List.of(this.folder.resolve("classes")));
		try (Stream<Path> devTools = Files.list(Path.of("target", "devtools"))) {
			classPath.addAll(devTools.map(Path::toAbsolutePath).toList());
		}
		for (Path path : ApplicationProcess.classPath()) {
			if (Files.isRegularFile(path)) {
				classPath.add(path);
			}
			else if (Files.isDirectory(path) && !path.toAbsolutePath().startsWith(TEST_CLASSES.getParent())) {
				classPath.add(jar(path));
			}
		}
		return classPath;
	}

	private Path jar(Path classes) {
		Path jar = this.folder.resolve(classes.getParent().getParent().getFileName() + ".jar");
		int result = ToolProvider.findFirst("jar")
			.orElseThrow()
			.run(System.out, System.err, "--create", "--file", jar.toString(), "-C", classes.toString(), ".");
		assertThat(result).isZero();
		return jar;
	}

	/**
	 * Waits until the application has started the given number of times, and the threads
	 * and the class loader of the previous start are gone: each thread exists once, and
	 * there is one class loader.
	 */
	private static void awaitStart(ApplicationProcess application, int start) {
		application.awaitOutput(ORDERS_AT_START, start);
		application.awaitOutput(PAYMENTS_AT_START, start);
		Awaitility.await().atMost(Duration.ofSeconds(30)).pollDelay(Duration.ZERO).untilAsserted(() -> {
			List<String> threads = THREAD.matcher(application.execute("Thread.print"))
				.results()
				.map((thread) -> thread.group(1))
				.toList();
			assertThat(threads).contains("leaf-segment-1", "leaf-lease-store").doesNotHaveDuplicates();
			application.execute("GC.run");
			assertThat(CLASS_LOADER.matcher(application.execute("VM.classloaders")).results()).hasSize(1);
		});
	}

	private static List<Long> numbers(Pattern lines, String output) {
		return lines.matcher(output)
			.results()
			.flatMap((line) -> NUMBER.matcher(line.group()).results())
			.map((number) -> Long.valueOf(number.group()))
			.toList();
	}

	private static List<Long> numbersFromOne(int count) {
		return LongStream.rangeClosed(1, count).boxed().toList();
	}

	private static long maxId(String database, String key) throws SQLException {
		try (Connection connection = DriverManager.getConnection(database, "sa", "");
				Statement statement = connection.createStatement();
				ResultSet row = statement
					.executeQuery("SELECT max_id FROM leaf_alloc WHERE biz_tag = '%s'".formatted(key))) {
			assertThat(row.next()).isTrue();
			return row.getLong(1);
		}
	}

}
