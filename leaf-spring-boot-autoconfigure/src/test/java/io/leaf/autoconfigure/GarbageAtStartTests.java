// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.leaf.Garbage;
import io.leaf.IdGenerator;
import io.leaf.autoconfigure.TestApplications.BothModes;
import io.leaf.autoconfigure.TestApplications.SnowflakeMode;
import io.leaf.snowflake.SnowflakeLayout;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests applications that find corrupt content in the store of their worker IDs: an
 * application starts with a worker ID that is not in use, or fails and explains what to
 * do.
 */
class GarbageAtStartTests {

	private static TestingServer server;

	private static CuratorFramework zooKeeper;

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase();

	@TempDir
	private Path directory;

	private String name;

	@BeforeAll
	static void start() throws Exception {
		server = new TestingServer();
		zooKeeper = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
		zooKeeper.start();
	}

	@AfterAll
	static void stop() throws IOException {
		zooKeeper.close();
		server.close();
	}

	@BeforeEach
	void prepare(TestInfo test) {
		this.name = test.getTestMethod().orElseThrow().getName();
	}

	private StartOutcome start(Class<?> configuration, String source, Map<String, String> more) {
		Map<String, String> properties = new HashMap<>(more);
		properties.put("leaf.name", this.name);
		properties.put("leaf.snowflake.enabled", "true");
		properties.put("leaf.snowflake.worker.source", source);
		properties.put("leaf.snowflake.worker.id", "5");
		properties.put("leaf.snowflake.report-interval", "1s");
		properties.put("leaf.snowflake.zookeeper.connect-string", server.getConnectString());
		properties.put("leaf.snowflake.state-dir", this.directory.toString());
		properties.put("spring.datasource.url", this.database.url());
		return StartOutcome.of(configuration, properties);
	}

	private void assertExplained(StartOutcome outcome, String... explanation) {
		assertThat(outcome.context()).isNull();
		assertThat(outcome.explanation()).isNotNull()
			.contains("Leaf has no worker ID")
			.contains(explanation)
			.hasSizeLessThan(1500);
	}

	private String path(String below) {
		return "/snowflake/%s/%s".formatted(this.name, below);
	}

	private void write(String below, byte[] content) throws Exception {
		zooKeeper.create().orSetData().creatingParentsIfNeeded().forPath(path(below), content);
	}

	@Test
	void anInvalidLayoutInZooKeeper() throws Exception {
		write("layout", "garbage".getBytes(StandardCharsets.UTF_8));
		assertExplained(start(SnowflakeMode.class, "zookeeper", Map.of()), path("layout"), "'garbage'",
				"write that layout into");
	}

	@Test
	void unreadableLeasesInZooKeeper() throws Exception {
		for (int i = 0; i < 4; i++) {
			write("forever/10.0.0.1:8080.s-000000000" + i, new byte[0]);
		}
		// the counter of sequential nodes includes all nodes
		for (int i = 1; i < 4; i++) {
			write("leases/" + i, new byte[] { '{', (byte) 0xff, 0 });
		}
		assertExplained(start(SnowflakeMode.class, "zookeeper", Map.of("leaf.snowflake.layout.worker-bits", "2")),
				"3 are held", path("leases/1"), path("leases/2"), "cannot be read", "{\"owner\":\"\",\"horizon\":H}");
	}

	@Test
	void numbersInZooKeeperUsedUpByOtherNodes() throws Exception {
		for (int i = 0; i < 3; i++) {
			write("forever/garbage-" + i, new byte[0]);
		}
		assertExplained(start(SnowflakeMode.class, "zookeeper", Map.of("leaf.snowflake.layout.worker-bits", "1")),
				"2 are held", "servers of Meituan's Leaf", "leaf.name=" + this.name, "worker-bits");
	}

	@Test
	void anInvalidLayoutInTheTable() {
		this.database.withTable()
			.execute(
					"INSERT INTO leaf_worker VALUES ('%s', -1, 0, '', 0, '', 0, 0, 0, 'garbage')".formatted(this.name));
		assertExplained(start(BothModes.class, "jdbc", Map.of()), "leaf_worker records garbage", "worker_id -1",
				"write that layout into");
	}

	@Test
	void invalidRows() {
		this.database.withTable();
		for (int i = 0; i < 2; i++) {
			this.database.execute("INSERT INTO leaf_worker VALUES ('%s', %d, 0, '', %d, '', 0, 0, 0, NULL)"
				.formatted(this.name, i, Long.MIN_VALUE + i));
		}
		assertExplained(start(BothModes.class, "jdbc", Map.of("leaf.snowflake.layout.worker-bits", "1")), "2 are held",
				"its row cannot be used: horizon is -9223372036854775808", "horizon is -9223372036854775807");
	}

	@Test
	void aTableWithoutItsPrimaryKey() {
		this.database.withTable().execute("ALTER TABLE leaf_worker DROP PRIMARY KEY");
		assertExplained(start(BothModes.class, "jdbc", Map.of()), "leaf_worker", "primary key (name, worker_id)",
				"schema-*.sql");
	}

	@Test
	void aCorruptStateFile() throws IOException {
		byte[] content = new byte[9000];
		new Garbage("A state file").random().nextBytes(content);
		Files.createFile(stateFile(),
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
		Files.write(stateFile(), content);
		assertExplained(start(SnowflakeMode.class, "file", Map.of()), stateFile().toString(), "is damaged",
				"delete the file");
		assertThat(stateFile()).hasBinaryContent(content);
	}

	private Path stateFile() throws IOException {
		return Files
			.createDirectories(this.directory.resolve(this.name),
					PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
			.resolve("worker-5.state");
	}

	@Test
	void aDirectoryInPlaceOfTheStateFile() throws IOException {
		Files.createDirectory(stateFile());
		assertExplained(start(SnowflakeMode.class, "file", Map.of()), stateFile().toString(), "but a directory",
				"Set leaf.snowflake.state-dir");
	}

	@Test
	void aDeviceInPlaceOfTheStateFile() throws IOException {
		Files.createSymbolicLink(stateFile(), Path.of("/dev/null"));
		assertExplained(start(SnowflakeMode.class, "file", Map.of()), stateFile().toString(), "but a symbolic link",
				"Set leaf.snowflake.state-dir");
	}

	/**
	 * Corrupts all nodes of a running process: other processes can start, and it
	 * continues with another worker ID.
	 */
	@Test
	void garbageInTheNodesOfARunningProcess() throws Exception {
		Garbage garbage = new Garbage("Nodes of a running process");
		Set<Long> ids = new HashSet<>();
		try (ConfigurableApplicationContext first = process(1)) {
			for (String folder : new String[] { "forever", "leases" }) {
				long before = workerId(first, ids);
				for (String node : zooKeeper.getChildren().forPath(path(folder))) {
					if (node.matches("(.*-0*)?" + before)) {
						corrupt(folder + "/" + node, folder.equals("leases") ? null : garbage);
					}
				}
				try (ConfigurableApplicationContext second = process(2)) {
					assertThat(workerId(second, ids)).isNotEqualTo(before);
					workerId(first, ids);
				}
				if (folder.equals("leases")) {
					Awaitility.await()
						.atMost(Duration.ofSeconds(30))
						.untilAsserted(() -> assertThat(workerId(first, ids)).isNotEqualTo(before));
				}
			}
		}
	}

	// leases are only truncated: with random content, a lease could be expired and could
	// be claimed
	private void corrupt(String below, @Nullable Garbage garbage) throws Exception {
		byte[] valid = zooKeeper.getData().forPath(path(below));
		zooKeeper.setData()
			.forPath(path(below), (garbage != null) ? garbage.of(valid) : Arrays.copyOf(valid, valid.length - 1));
	}

	private ConfigurableApplicationContext process(int number) {
		StartOutcome outcome = start(SnowflakeMode.class, "zookeeper",
				Map.of("leaf.snowflake.port", Integer.toString(number), "leaf.snowflake.host", "10.0.0." + number));
		assertThat(outcome.context()).as("%s", outcome.explanation()).isNotNull();
		return outcome.context();
	}

	private static long workerId(ConfigurableApplicationContext context, Set<Long> ids) {
		long id = context.getBean(IdGenerator.class).nextId("order");
		assertThat(ids.add(id)).isTrue();
		return SnowflakeLayout.LEAF.decode(id).workerId();
	}

}
