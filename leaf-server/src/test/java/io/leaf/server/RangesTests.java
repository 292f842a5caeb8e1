// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.leaf.IdGenerator;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.snowflake.SnowflakeLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of applications that take segments and worker IDs from two servers on one
 * database. On a busy machine a response may arrive after the timeout, and its numbers
 * are lost. Therefore tests with applications do not expect a certain first number.
 */
class RangesTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final String database = "jdbc:h2:mem:" + UUID.randomUUID();

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	private ConfigurableApplicationContext first;

	private ConfigurableApplicationContext second;

	@BeforeEach
	void start() {
		this.first = add(RangeServers.start(this.database));
		this.second = add(RangeServers.start(this.database));
		RangeServers.jdbc(this.database)
			.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 1000), ('global', 1, 1000)");
	}

	@AfterEach
	void stop() {
		this.contexts.forEach(ConfigurableApplicationContext::close);
	}

	@Test
	void numbersAscendForEachClientAcrossServers() {
		warmUp(this.first);
		warmUp(this.second);
		SegmentStore one = RangeServers.store(this.first);
		SegmentStore other = RangeServers.store(this.first, this.second);
		SegmentStore reversed = RangeServers.store(this.second, this.first);
		Set<Long> seen = new HashSet<>();
		long[] ends = new long[3];
		for (int i = 0; i < 300; i++) {
			if (i == 200) {
				this.first.close();
			}
			for (int client = (i < 200) ? 0 : 1; client < 3; client++) {
				SegmentStore store = List.of(one, other, reversed).get(client);
				Allocation range = store.allocate("order", 1 + i % 13, 0, TIMEOUT);
				assertThat(range).isNotNull();
				assertThat(range.from()).isGreaterThanOrEqualTo(ends[client]);
				ends[client] = range.to();
				for (long id = range.from(); id < range.to(); id++) {
					assertThat(seen.add(id)).as("%d", id).isTrue();
				}
			}
		}
	}

	@Test
	void manyClientsShareTheSegmentsOfTheServer() {
		warmUp(this.first);
		long before = allocations(this.first);
		for (int i = 0; i < 50; i++) {
			assertThat(RangeServers.store(this.first).allocate("order", 10, 0, TIMEOUT))
				.isEqualTo(new Allocation(2 + 10 * i, 12 + 10 * i, 1000));
		}
		assertThat(allocations(this.first) - before).as("prefetch of the next segment").isLessThanOrEqualTo(1);
	}

	@Test
	void aServerThatIsBehindAnswersFromTheTable() {
		warmUp(this.first);
		warmUp(this.second);
		Allocation later = RangeServers.store(this.second).allocate("order", 10, 0, TIMEOUT);
		assertThat(later).isNotNull();
		Allocation next = RangeServers.store(this.first).allocate("order", 10, later.to(), TIMEOUT);
		assertThat(next).isNotNull();
		assertThat(next.from()).isGreaterThanOrEqualTo(later.to());
	}

	@Test
	void numbersAscendAfterTheTableHasGoneBack() {
		SegmentStore store = RangeServers.store(this.first);
		Allocation before = store.allocate("order", 500, 0, TIMEOUT);
		assertThat(before).isNotNull();
		RangeServers.jdbc(this.database).update("UPDATE leaf_alloc SET max_id = 1");
		Allocation after = store.allocate("order", 10, 0, TIMEOUT);
		assertThat(after).isNotNull();
		assertThat(after.from()).isGreaterThanOrEqualTo(before.to());
	}

	@Test
	void keysWithGlobalOrderingTakeNoNumbersFromAServersMemory() {
		this.first.getBean(IdGenerator.class).nextId("global");
		Allocation range = RangeServers.store(this.first).allocate("global", 1, 0, TIMEOUT);
		assertThat(range).isNotNull();
		assertThat(range.from()).isEqualTo(1001);
	}

	@Test
	void numbersFromAServersMemoryAreNotGivenBack() {
		warmUp(this.first);
		SegmentStore store = RangeServers.store(this.first);
		Allocation range = store.allocate("order", 900, 0, TIMEOUT);
		assertThat(range).isNotNull();
		// the range has passed the prefetch mark of the server
		await().until(() -> this.first.getBean(SegmentIdGenerator.class).status("order").next() != null);
		long counter = counter("order");
		assertThat(store.giveBack(List.of(new Unissued("order", range.from(), range.to())))).isEmpty();
		assertThat(counter("order")).isEqualTo(counter);
		Allocation direct = store.allocate("order", 1000, counter, TIMEOUT);
		assertThat(direct).isNotNull();
		long from = range.to() - 5;
		assertThat(store.giveBack(List.of(new Unissued("order", from, direct.to())))).containsExactly("order");
		assertThat(counter("order")).isEqualTo(range.to());
	}

	@Test
	void aLockedRowLeavesConnectionsForOtherKeys() throws Exception {
		String database = this.database + ";LOCK_TIMEOUT=30000";
		ConfigurableApplicationContext server = add(RangeServers.start(database));
		Duration each = Duration.ofSeconds(10);
		ExecutorService clients = Executors.newCachedThreadPool();
		try (Connection connection = RangeServers.jdbc(this.database).getDataSource().getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute("SELECT * FROM leaf_alloc WHERE biz_tag = 'order' FOR UPDATE");
			for (int i = 0; i < 4; i++) {
				clients.submit(() -> RangeServers.store(server).allocate("order", 10, 0, each));
			}
			await().until(() -> waitingSessions() >= 1);
			for (int i = 0; i < 5; i++) {
				assertThat(RangeServers.store(server).allocate("global", 1, 0, Duration.ofSeconds(8))).isNotNull();
			}
			connection.rollback();
			await().ignoreExceptions().until(() -> RangeServers.store(server).allocate("order", 10, 0, each) != null);
		}
		finally {
			clients.shutdownNow();
		}
	}

	private int waitingSessions() {
		return RangeServers.jdbc(this.database)
			.queryForObject("SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL",
					Integer.class);
	}

	@Test
	void anApplicationIssuesIdsWithoutADatabase() {
		ConfigurableApplicationContext application = application();
		IdGenerator generator = application.getBean(IdGenerator.class);
		long[] ids = generator.nextIds("order", 2_500);
		assertThat(ids).doesNotHaveDuplicates().isSorted();
		long global = generator.nextId("global");
		assertThat(application().getBean(IdGenerator.class).nextId("global")).isGreaterThan(global);
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> generator.nextId("other"));
		application.close();
		assertThat(counter("order")).as("unused numbers are given back").isEqualTo(ids[2_499] + 1);
	}

	@Test
	void anApplicationStartsAndIssuesIdsWhileOneServerIsStopped() {
		this.first.close();
		ConfigurableApplicationContext application = application();
		IdGenerator generator = application.getBean(IdGenerator.class);
		long first = generator.nextId("order");
		this.second.close();
		assertThat(generator.nextId("order")).as("from memory").isEqualTo(first + 1);
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> generator.nextId("global"))
			.withMessageContaining("No Leaf server");
	}

	@Test
	void aClientUsesItsOwnKeysWithItsToken() {
		ConfigurableApplicationContext server = add(RangeServers.start(this.database,
				"--leaf.server.clients.shop.token=sesame", "--leaf.server.clients.shop.keys=order,order-*"));
		IdGenerator generator = application(List.of(server), "--leaf.server.token=sesame").getBean(IdGenerator.class);
		assertThat(generator.nextId("order")).isPositive();
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> generator.nextId("global"))
			.withMessageContainingAll("Client 'shop' may not use key 'global'", "leaf.server.clients.shop.keys");
		assertThatExceptionOfType(Exception.class).isThrownBy(() -> application(List.of(server)))
			.havingRootCause()
			.withMessageContaining("Set leaf.server.token in the application");
	}

	@Test
	void anApplicationAddsRowsThatTheServerAllows() {
		ConfigurableApplicationContext server = add(
				RangeServers.start(this.database, "--leaf.segment.auto-create.keys=new-*"));
		IdGenerator generator = application(List.of(server), "--leaf.segment.auto-create.enabled=true",
				"--leaf.keys.new-1.start-from=500")
			.getBean(IdGenerator.class);
		assertThat(generator.nextId("new-1")).isGreaterThanOrEqualTo(500);
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> generator.nextId("other"))
			.withMessageContaining("leaf.segment.auto-create.keys");
	}

	@Test
	void aDailyKeyGetsItsNumbersFromTheServers() {
		String[] daily = { "--leaf.keys.daily.period=day", "--leaf.keys.daily.period-zone=UTC",
				"--leaf.keys.daily.digits=6", "--leaf.segment.auto-create.enabled=true" };
		IdGenerator one = application(List.of(this.first, this.second), daily).getBean(IdGenerator.class);
		IdGenerator other = application(List.of(this.second, this.first), daily).getBean(IdGenerator.class);
		long id = one.nextId("daily");
		assertThat(String.valueOf(id)).matches("20\\d{6}0000\\d\\d");
		assertThat(other.nextId("daily")).isGreaterThan(id);
	}

	@Test
	void aRefusedRequestLeavesNoGapInAPeriod() {
		ConfigurableApplicationContext server = add(RangeServers.start(this.database, "--leaf.segment.max-step=100"));
		IdGenerator generator = application(List.of(server), "--leaf.keys.daily.period=day",
				"--leaf.keys.daily.period-zone=UTC", "--leaf.keys.daily.digits=10",
				"--leaf.segment.auto-create.enabled=true")
			.getBean(IdGenerator.class);
		long before = generator.nextId("daily");
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> generator.nextIds("daily", 500))
			.withMessageContainingAll("500 numbers of key 'daily' are too many at once", "leaf.segment.max-step");
		assertThat(counter("daily")).isEqualTo(before + 1);
	}

	@Test
	void anApplicationLeasesWorkerIdsFromServers() {
		String[] snowflake = { "--leaf.snowflake.enabled=true", "--leaf.snowflake.worker.source=server",
				"--leaf.name=shop", "--leaf.default-mode=snowflake", "--leaf.keys.global.mode=segment" };
		ConfigurableApplicationContext one = application(snowflake);
		ConfigurableApplicationContext other = application(snowflake);
		Set<Long> ids = new HashSet<>();
		for (ConfigurableApplicationContext each : List.of(one, other)) {
			for (long id : each.getBean(IdGenerator.class).nextIds("order", 1_000)) {
				assertThat(ids.add(id)).isTrue();
			}
		}
		List<Long> leased = RangeServers.jdbc(this.database)
			.queryForList("SELECT worker_id FROM leaf_worker WHERE name = 'shop' AND owner <> '' AND worker_id >= 0",
					Long.class);
		assertThat(leased).hasSize(2);
		one.close();
		other.close();
		assertThat(RangeServers.jdbc(this.database)
			.queryForObject("SELECT COUNT(*) FROM leaf_worker WHERE name = 'shop' AND owner <> ''", Integer.class))
			.as("released when the applications stop")
			.isZero();
	}

	@Test
	void anApplicationResumesItsWorkerIdWhileNoServerIsReachable(@TempDir Path directory) {
		String[] snowflake = { "--leaf.snowflake.enabled=true", "--leaf.snowflake.worker.source=server",
				"--leaf.name=shop", "--leaf.default-mode=snowflake", "--leaf.keys.global.mode=segment",
				"--leaf.segment.fail-fast=false", "--leaf.snowflake.state-dir=" + directory.resolve("state") };
		ConfigurableApplicationContext application = application(snowflake);
		long before = application.getBean(IdGenerator.class).nextId("order");
		List<URI> urls = List.of(RangeServers.url(this.first), RangeServers.url(this.second));
		this.first.close();
		this.second.close();
		application.close();
		long after = start(urls, snowflake).getBean(IdGenerator.class).nextId("order");
		assertThat(SnowflakeLayout.LEAF.decode(after).workerId())
			.isEqualTo(SnowflakeLayout.LEAF.decode(before).workerId());
		assertThat(after).isGreaterThan(before);
	}

	private ConfigurableApplicationContext application(String... arguments) {
		return application(List.of(this.first, this.second), arguments);
	}

	private ConfigurableApplicationContext application(List<ConfigurableApplicationContext> servers,
			String... arguments) {
		return start(servers.stream().map(RangeServers::url).toList(), arguments);
	}

	private ConfigurableApplicationContext start(List<URI> urls, String... arguments) {
		return add(new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("leaf.segment.source=server", "leaf.keys.global.ordering=global",
					"spring.config.location=optional:classpath:none.yaml",
					"leaf.server.urls=" + String.join(",", urls.stream().map(String::valueOf).toList()))
			.run(arguments));
	}

	private ConfigurableApplicationContext add(ConfigurableApplicationContext context) {
		this.contexts.add(0, context);
		return context;
	}

	// makes the server fetch a segment
	private static void warmUp(ConfigurableApplicationContext server) {
		server.getBean(IdGenerator.class).nextId("order");
	}

	private static long allocations(ConfigurableApplicationContext server) {
		return server.getBean(SegmentIdGenerator.class).status("order").fetches();
	}

	private long counter(String key) {
		return RangeServers.jdbc(this.database)
			.queryForObject("SELECT max_id FROM leaf_alloc WHERE biz_tag = ?", Long.class, key);
	}

	@EnableAutoConfiguration
	static class Application {

	}

}
