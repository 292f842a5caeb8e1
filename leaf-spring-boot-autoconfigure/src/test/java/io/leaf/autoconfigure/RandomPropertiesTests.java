// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.TestApplications.BothModes;
import io.leaf.autoconfigure.TestApplications.WithoutDataSource;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests applications with random property values: each either starts and issues IDs, or
 * explains its failure in a message that names the property.
 * <p>
 * {@code -Dleaf.property-cases=5000} runs more applications, and {@code -Dleaf.seed=…}
 * runs different ones.
 */
class RandomPropertiesTests {

	private static final long SEED = Long.getLong("leaf.seed", 20261121);

	private static final int CASES = Integer.getInteger("leaf.property-cases",
			Boolean.getBoolean("leaf.test.full") ? 120 : 40);

	// the loggers of a failed startup, whose output is not needed here
	private static final List<String> LOGGERS = List.of("org.springframework", "com.zaxxer.hikari", "io.leaf");

	private final Random random = new Random(SEED);

	private final Map<String, JsonNode> properties = new TreeMap<>();

	private final List<String> unexplained = new ArrayList<>();

	private final MemoryDatabase database = new MemoryDatabase().withRow("order", 1, 1000);

	@TempDir
	private Path directory;

	private TestingServer zooKeeper;

	private int started;

	private int number;

	private Server server;

	@BeforeEach
	void prepare() throws Exception {
		for (JsonNode property : JsonMapper.shared()
			.readTree(Path.of("target/classes/META-INF/spring-configuration-metadata.json").toFile())
			.get("properties")) {
			if (property.get("name").asString().startsWith("leaf.") && !property.has("deprecation")) {
				this.properties.put(property.get("name").asString(), property);
			}
		}
		this.zooKeeper = new TestingServer();
		// otherwise, the first process would create this node, and with credentials it
		// would deny access to all others
		try (CuratorFramework client = CuratorFrameworkFactory.newClient(this.zooKeeper.getConnectString(),
				new RetryOneTime(100))) {
			client.start();
			client.create().forPath("/snowflake");
		}
		this.server = Server.createTcpServer("-tcpPort", "0").start();
		log(LogLevel.OFF);
	}

	@AfterEach
	void close() throws IOException {
		log(null);
		log("io.leaf", LogLevel.INFO);
		this.zooKeeper.close();
		this.server.stop();
		this.database.close();
	}

	private static void log(@Nullable LogLevel level) {
		LOGGERS.forEach((logger) -> log(logger, level));
	}

	private static void log(String logger, @Nullable LogLevel level) {
		LoggingSystem.get(RandomPropertiesTests.class.getClassLoader()).setLogLevel(logger, level);
	}

	@Test
	void everyValueEitherWorksOrIsExplained() throws IOException {
		List<String> names = List.copyOf(this.properties.keySet());
		for (int i = 0; i < CASES; i++) {
			List<String> drawn = new ArrayList<>(List.of(names.get(i % names.size())));
			if (this.random.nextInt(5) == 0 && !mayDelayStartup(drawn.get(0))) {
				drawn.add(names.get(this.random.nextInt(names.size())));
			}
			if (drawn.stream().noneMatch(RandomPropertiesTests::mayDelayStartup) || this.random.nextInt(4) == 0) {
				start(drawn);
			}
		}
		System.out.printf("%d applications with values from -Dleaf.seed=%d: %d started, %d skipped or explained%n",
				CASES, SEED, this.started, CASES - this.started - this.unexplained.size());
		assertThat(this.unexplained).as("with -Dleaf.seed=%d", SEED).isEmpty();
		assertThat(this.started).isBetween(CASES / 5, CASES * 4 / 5);
		assertNothingIsLeftBehind();
	}

	// startup waits for an unavailable store, so such a property is drawn less often
	private static boolean mayDelayStartup(String name) {
		return name.startsWith("leaf.segment.datasource") || name.endsWith("connect-string");
	}

	// includes the applications that failed to start
	private void assertNothingIsLeftBehind() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith("leaf-")));
		assertThat(this.database.otherSessions()).isZero();
	}

	private void start(List<String> drawn) throws IOException {
		this.number++;
		Path own = Files.createDirectory(this.directory.resolve("case" + this.number));
		Files.createFile(own.resolve("file"));
		PropertyValues values = new PropertyValues(this.random, own);
		Map<String, String> changes = new LinkedHashMap<>();
		for (String name : drawn) {
			changes.put(name.equals("leaf.keys") ? "leaf.keys.order.mode" : name,
					values.next(this.properties.get(name)));
		}
		Setup setup = Setup.of(drawn, this.random);
		Map<String, String> all = common(own);
		all.putAll(setup.properties(url(drawn), this.zooKeeper.getConnectString()));
		if (drawn.stream().anyMatch(RandomPropertiesTests::mayDelayStartup)) {
			// otherwise, the creation of the tables would also wait for the unavailable
			// database
			all.put("leaf.segment.initialize-schema", "never");
		}
		all.putAll(changes);
		StartOutcome outcome = StartOutcome.of(setup.configuration, all);
		String problem = (outcome.context() != null) ? problemOf(outcome.context()) : problemOf(outcome, changes);
		if (problem != null) {
			this.unexplained.add("%d: %s with %s: %s".formatted(this.number, setup, changes, problem));
		}
	}

	// for an in-memory database a pool waits 30 seconds, even with a wrong password
	private String url(List<String> drawn) {
		return drawn.stream().anyMatch(RandomPropertiesTests::mayDelayStartup)
				? this.database.url().replace("h2:", "h2:tcp://127.0.0.1:%d/".formatted(this.server.getPort()))
				: this.database.url();
	}

	private Map<String, String> common(Path own) {
		Map<String, String> common = new HashMap<>();
		common.put("leaf.name", "case" + this.number);
		common.put("leaf.snowflake.state-dir", own.toString());
		common.put("leaf.segment.acquire-timeout", "200ms");
		common.put("leaf.segment.auto-create.enabled", "true");
		return common;
	}

	private @Nullable String problemOf(ConfigurableApplicationContext context) {
		try (context) {
			assertThat(isSet(context, "leaf.segment.enabled", true)).as("leaf.segment.enabled")
				.isEqualTo(context.getBeanProvider(SegmentIdGenerator.class).getIfAvailable() != null
						|| !context.containsBean("dataSource"));
			assertThat(isSet(context, "leaf.snowflake.enabled", false)).as("leaf.snowflake.enabled")
				.isEqualTo(context.getBeanProvider(SnowflakeIdGenerator.class).getIfAvailable() != null);
			IdGenerator generator = context.getBeanProvider(IdGenerator.class).getIfAvailable();
			if (generator == null) {
				// both modes are disabled, as asserted above
				return null;
			}
			// the acquire timeout may be as short as a millisecond
			long first = Awaitility.await()
				.pollDelay(Duration.ZERO)
				.ignoreExceptions()
				.until(() -> generator.nextId("order"), (id) -> true);
			assertThat(generator.nextId("order")).isGreaterThan(first);
			this.started++;
			return null;
		}
		catch (RuntimeException | AssertionError ex) {
			return "it started, but " + ex;
		}
	}

	private static boolean isSet(ConfigurableApplicationContext context, String name, boolean otherwise) {
		return Binder.get(context.getEnvironment()).bind(name, Boolean.class).orElse(otherwise);
	}

	private static @Nullable String problemOf(StartOutcome outcome, Map<String, String> changes) {
		String explanation = outcome.explanation();
		if (explanation == null) {
			return "only a stack trace: " + outcome.failure();
		}
		return changes.keySet().stream().anyMatch((name) -> names(explanation, name)) ? null
				: "none of the properties is named: " + explanation;
	}

	private static boolean names(String explanation, String property) {
		if (property.startsWith("leaf.segment.datasource") && explanation.contains("leaf.segment.datasource.url")) {
			// H2 delays connections with a wrong password for longer than the pool waits
			return true;
		}
		return explanation.contains(property);
	}

	/**
	 * The configuration of the application apart from the random values.
	 */
	private enum Setup {

		SEGMENT(BothModes.class), FILE(WithoutDataSource.class), FILE_AND_SEGMENT(BothModes.class),
		JDBC(BothModes.class), ZOOKEEPER(WithoutDataSource.class);

		private final Class<?> configuration;

		Setup(Class<?> configuration) {
			this.configuration = configuration;
		}

		/**
		 * Returns a setup in which the properties matter.
		 */
		static Setup of(List<String> drawn, Random random) {
			if (drawn.stream()
				.anyMatch((name) -> name.endsWith("enabled") || name.endsWith("mode") || name.equals("leaf.keys"))) {
				return FILE_AND_SEGMENT;
			}
			if (drawn.stream().anyMatch((name) -> name.startsWith("leaf.snowflake.zookeeper"))) {
				return ZOOKEEPER;
			}
			if (drawn.stream().anyMatch((name) -> name.startsWith("leaf.segment"))) {
				return drawn.stream().anyMatch((name) -> name.startsWith("leaf.snowflake")) ? JDBC : SEGMENT;
			}
			return values()[1 + random.nextInt(values().length - 1)];
		}

		Map<String, String> properties(String database, String zooKeeper) {
			Map<String, String> properties = new HashMap<>();
			properties.put("leaf.snowflake.enabled", String.valueOf(this != SEGMENT));
			properties.put("leaf.snowflake.worker.source",
					(this == JDBC) ? "jdbc" : (this == ZOOKEEPER) ? "zookeeper" : "file");
			// the only worker ID of a layout without worker bits
			properties.put("leaf.snowflake.worker.id", "0");
			properties.put("leaf.snowflake.zookeeper.connect-string", zooKeeper);
			properties.put("leaf.snowflake.zookeeper.connection-timeout", "1s");
			if (this.configuration == BothModes.class) {
				properties.put("spring.datasource.url", database);
			}
			return properties;
		}

	}

}
