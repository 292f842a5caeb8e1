// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.leaf.Heap;
import io.leaf.IdGenerator;
import io.leaf.autoconfigure.TestApplications.BothModes;
import io.leaf.autoconfigure.TestApplications.SnowflakeMode;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that applications that repeatedly start, issue IDs and stop leave no resources
 * behind.
 * <p>
 * {@code -Dleaf.cycles=1000} runs 1,000 cycles of each kind.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartStopTests {

	/**
	 * The number of cycles after which every class is loaded, and the pools of the JDK
	 * and the drivers have started their threads.
	 */
	private static final int WARM_UP = 10;

	/**
	 * Tolerance for memory that the JVM itself retains after a thousand starts. An
	 * application context takes a few megabytes.
	 */
	private static final long TOLERANCE = 8 << 20;

	private final MemoryDatabase database = new MemoryDatabase().withRow("order", 1, 1000);

	@TempDir
	private Path directory;

	private long slowest;

	@BeforeEach
	void logLess() {
		log(LogLevel.WARN);
	}

	@AfterEach
	void close() {
		log(LogLevel.INFO);
		this.database.close();
	}

	private static void log(LogLevel level) {
		LoggingSystem.get(StartStopTests.class.getClassLoader()).setLogLevel("io.leaf", level);
	}

	private static int cycles(int inTheFullBuild) {
		return Integer.getInteger("leaf.cycles", Boolean.getBoolean("leaf.test.full") ? inTheFullBuild : 20);
	}

	@Test
	void segmentsAndWorkerIdsFromADatabaseLeaveNothingBehind(CapturedOutput output) throws IOException {
		Map<String, String> properties = properties("jdbc");
		properties.put("spring.datasource.url", this.database.url());
		long[] last = new long[1];
		assertNothingIsLeftBehind("segment and snowflake IDs with H2", cycles(60), () -> {
			try (ConfigurableApplicationContext context = StartOutcome.of(BothModes.class, properties).context()) {
				long number = context.getBean(SegmentIdGenerator.class).nextId("order");
				assertThat(number).as("the first number that the previous cycle gave back").isEqualTo(last[0] + 1);
				last[0] = number;
				context.getBean(SnowflakeIdGenerator.class).nextId("payment");
			}
			// neither the application's pool nor Leaf's has a connection left
			assertThat(this.database.otherSessions()).isZero();
			assertThat(this.database.number("SELECT COUNT(*) FROM leaf_worker WHERE owner <> '' AND worker_id >= 0"))
				.isZero();
			return this.database.number("SELECT COUNT(*) FROM leaf_worker");
		});
		assertThat(output).doesNotContain("Timed-out waiting", "WARN");
	}

	@Test
	void workerIdsFromZooKeeperLeaveNothingBehind() throws Exception {
		try (TestingServer server = new TestingServer();
				CuratorFramework client = CuratorFrameworkFactory.newClient(server.getConnectString(),
						new RetryOneTime(100))) {
			client.start();
			Map<String, String> properties = properties("zookeeper");
			properties.put("leaf.snowflake.zookeeper.connect-string", server.getConnectString());
			assertNothingIsLeftBehind("snowflake IDs with ZooKeeper", cycles(30), () -> {
				try (ConfigurableApplicationContext context = StartOutcome.of(SnowflakeMode.class, properties)
					.context()) {
					context.getBean(IdGenerator.class).nextId("payment");
				}
				return nodes(client, "forever") + nodes(client, "leases");
			});
		}
	}

	private static long nodes(CuratorFramework client, String folder) {
		try {
			return client.getChildren().forPath("/snowflake/orders/" + folder).size();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private Map<String, String> properties(String source) {
		Map<String, String> properties = new HashMap<>();
		properties.put("leaf.name", "orders");
		properties.put("leaf.snowflake.enabled", "true");
		properties.put("leaf.snowflake.worker.source", source);
		properties.put("leaf.snowflake.state-dir", this.directory.toString());
		return properties;
	}

	/**
	 * Runs cycles, and compares the resources in use with those after the first few
	 * cycles.
	 * @param cycle returns how many entries the store has
	 */
	private void assertNothingIsLeftBehind(String what, int cycles, Supplier<Long> cycle) throws IOException {
		repeat(WARM_UP, cycle);
		Set<Thread> threads = threads();
		Map<String, Long> handles = handles();
		long files = files();
		long entries = cycle.get();
		long heap = Heap.used();
		long start = System.nanoTime();
		this.slowest = 0;
		repeat(cycles, cycle);
		System.out.printf("%d cycles of %s in %.1f s, the slowest in %d ms%n", cycles, what,
				(System.nanoTime() - start) / 1e9, this.slowest / 1_000_000);
		Awaitility.await()
			.pollInSameThread()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(threads()).as("threads").isSubsetOf(threads));
		Awaitility.await()
			.pollInSameThread()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(handles()).as("open file handles").isEqualTo(handles));
		assertThat(files()).as("files in the state directory").isEqualTo(files);
		assertThat(cycle.get()).as("entries in the store").isEqualTo(entries);
		Heap.awaitBackTo(heap, TOLERANCE);
	}

	private void repeat(int cycles, Supplier<Long> cycle) {
		for (int i = 0; i < cycles; i++) {
			long start = System.nanoTime();
			cycle.get();
			this.slowest = Math.max(this.slowest, System.nanoTime() - start);
		}
	}

	private static Set<Thread> threads() {
		return new HashSet<>(Thread.getAllStackTraces().keySet());
	}

	/**
	 * Returns the number of open handles of each kind. Files are distinguished by name.
	 */
	private static Map<String, Long> handles() throws IOException {
		Map<String, Long> handles = new TreeMap<>();
		try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
			for (Path link : links.toList()) {
				if (Files.isSymbolicLink(link)) {
					handles.merge(target(link).replaceAll(":\\[\\d+]", ""), 1L, Long::sum);
				}
			}
		}
		return handles;
	}

	private static String target(Path link) {
		try {
			return Files.readSymbolicLink(link).toString();
		}
		catch (IOException ex) {
			// the handle with which the folder is listed
			return "gone";
		}
	}

	private long files() throws IOException {
		try (Stream<Path> files = Files.walk(this.directory)) {
			return files.count();
		}
	}

}
