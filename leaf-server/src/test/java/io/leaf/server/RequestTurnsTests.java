// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.leaf.IdGenerationException;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.server.ServerSegmentStore;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.snowflake.lease.server.ServerWorkerLeaseStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link RequestTurns}, also in a server.
 */
class RequestTurnsTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final AtomicLong now = new AtomicLong();

	private final RequestTurns turns = new RequestTurns(this.now::get);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void stop() {
		this.threads.shutdownNow();
	}

	@Test
	void oneRequestWithTheSameTurnRunsAtATime() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		Future<Boolean> first = occupy(this.turns, "a", end);
		Future<Boolean> second = this.threads.submit(() -> run("a"));
		await().until(() -> this.turns.waiting("a") == 1);
		assertThat(run("b")).isTrue();
		assertThat(this.turns.runForRows(() -> true)).isTrue();
		assertThat(second).isNotDone();
		end.countDown();
		assertThat(first).succeedsWithin(TIMEOUT);
		assertThat(second).succeedsWithin(TIMEOUT);
	}

	@Test
	void aRequestThatDoesNotGetItsTurnInTimeFails() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		Future<Boolean> first = occupy(this.turns, RequestTurns.ROWS, end);
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> this.turns.runForRows(() -> true))
			.withMessageContainingAll("request for the segment table", "was not sent to the database");
		end.countDown();
		assertThat(first).succeedsWithin(TIMEOUT);
		assertThat(this.turns.runForRows(() -> true)).isTrue();
	}

	@Test
	void aRequestThatTimesOutWhileItWaitsIsNotSentAndTheOthersGetWhatIsLeftOfTheirTimeout() throws Exception {
		CountDownLatch end = new CountDownLatch(1);
		Future<Boolean> first = occupy(this.turns, "a", end);
		Future<Duration> second = this.threads.submit(() -> this.turns.run("a", "a", TIMEOUT, (left) -> left));
		Future<Duration> third = this.threads
			.submit(() -> this.turns.run("a", "a", TIMEOUT.multipliedBy(3), (left) -> left));
		await().until(() -> this.turns.waiting("a") == 2);
		this.now.addAndGet(TIMEOUT.toNanos());
		end.countDown();
		assertThat(first).succeedsWithin(TIMEOUT);
		assertThat(second).failsWithin(TIMEOUT).withThrowableThat().withMessageContaining("in time");
		assertThat(third).succeedsWithin(TIMEOUT).isEqualTo(TIMEOUT.multipliedBy(2));
	}

	@Test
	void requestsForSlowRowsRunOneAtATime() throws Exception {
		fail("a", RequestTurns.SLOW, null);
		fail("b", RequestTurns.SLOW, null);
		CountDownLatch end = new CountDownLatch(1);
		Future<Boolean> first = occupy(this.turns, "a", end);
		for (String rows : List.of("a", "b")) {
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> run(rows))
				.withMessageContainingAll("was not sent to the database", "for %s took long".formatted(rows),
						"the statement timed out");
		}
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> this.turns.runAsSlow(() -> true))
			.withMessageContaining("was not sent to the database");
		assertThat(run("c")).isTrue();
		end.countDown();
		assertThat(first).succeedsWithin(TIMEOUT);
		assertThat(run("b")).isTrue();
		assertThat(this.turns.runAsSlow(() -> true)).isTrue();
	}

	@Test
	void aRequestMayHoldTheSlowTurnOnlyForALimitedTime() {
		assertThat(timeLeft(Duration.ofMinutes(1))).isEqualTo(Duration.ofMinutes(1));
		fail("a", RequestTurns.SLOW, null);
		assertThat(timeLeft(Duration.ofMinutes(1))).isEqualTo(RequestTurns.HOLD);
		fail("a", RequestTurns.SLOW, null);
		assertThat(timeLeft(Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
	}

	private Duration timeLeft(Duration timeout) {
		return this.turns.run("a", "a", timeout, (left) -> left);
	}

	@Test
	void slowRowsDoNotOccupyTheTurnThatTheyShareWithOtherRows() throws Exception {
		failWithTurn("turn", "a", RequestTurns.SLOW, null);
		fail("b", RequestTurns.SLOW, null);
		CountDownLatch end = new CountDownLatch(1);
		Future<Boolean> slow = occupy(this.turns, "b", end);
		this.now.addAndGet(RequestTurns.RECENT.toNanos());
		Future<Boolean> waiting = this.threads.submit(() -> this.turns.run("turn", "a", TIMEOUT, (left) -> true));
		this.turns.run("turn", "healthy", TIMEOUT, (left) -> true);
		assertThat(waiting).isNotDone();
		end.countDown();
		assertThat(slow).succeedsWithin(TIMEOUT);
		assertThat(waiting).succeedsWithin(TIMEOUT);
	}

	@Test
	void aSuccessForOtherRowsWithTheSameTurnDoesNotHideThatRowsAreSlow() throws Exception {
		failWithTurn("turn", "a", RequestTurns.SLOW, null);
		fail("b", RequestTurns.SLOW, null);
		this.turns.run("turn", "healthy", TIMEOUT, (left) -> true);
		CountDownLatch end = new CountDownLatch(1);
		Future<Boolean> slow = occupy(this.turns, "b", end);
		assertThatExceptionOfType(IdGenerationException.class)
			.isThrownBy(() -> this.turns.run("turn", "a", TIMEOUT, (left) -> true))
			.withMessageContaining("for a took long");
		end.countDown();
		assertThat(slow).succeedsWithin(TIMEOUT);
	}

	@Test
	void rowsThatAreNoLongerLockedGetTheSlowTurnAlthoughOthersTakeItAgainAndAgain() throws Exception {
		fail("locked", RequestTurns.SLOW, null);
		fail("free", RequestTurns.SLOW, null);
		this.now.addAndGet(RequestTurns.RECENT.toNanos());
		CountDownLatch end = new CountDownLatch(1);
		Future<Boolean> first = occupy(this.turns, "locked", end);
		Future<Boolean> free = this.threads.submit(() -> run("free"));
		await().until(() -> this.turns.waitingForSlowTurn() == 1);
		Future<Boolean> second = this.threads.submit(() -> run("locked"));
		await().until(() -> this.turns.waitingForSlowTurn() == 2);
		end.countDown();
		assertThat(first).succeedsWithin(TIMEOUT);
		assertThat(free).succeedsWithin(TIMEOUT);
		assertThat(second).succeedsWithin(TIMEOUT);
	}

	@Test
	void requestsThatWaitedWithOneThatFailedAreNotSent() throws Exception {
		fail("locked", RequestTurns.SLOW, null);
		this.now.addAndGet(RequestTurns.RECENT.toNanos());
		CountDownLatch end = new CountDownLatch(1);
		CountDownLatch running = new CountDownLatch(1);
		Future<Boolean> first = this.threads.submit(() -> this.turns.run("locked", "locked", TIMEOUT, (left) -> {
			running.countDown();
			try {
				end.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			this.now.addAndGet(RequestTurns.SLOW.toNanos());
			throw new SegmentStoreException("the statement timed out", null, false);
		}));
		running.await();
		AtomicInteger sent = new AtomicInteger();
		List<Future<Integer>> others = IntStream.range(0, 20)
			.mapToObj((i) -> this.threads
				.submit(() -> this.turns.run("locked", "locked", TIMEOUT, (left) -> sent.incrementAndGet())))
			.toList();
		await().until(() -> this.turns.waitingForSlowTurn() == others.size());
		end.countDown();
		assertThat(first).failsWithin(TIMEOUT);
		assertThat(others).allSatisfy((other) -> assertThat(other).failsWithin(TIMEOUT)
			.withThrowableThat()
			.withMessageContaining("was not sent to the database"));
		assertThat(sent).hasValue(0);
	}

	@Test
	void manyLockedRowsStaySlowWhileTheyAreRequested() throws Exception {
		List<String> locked = IntStream.range(0, 40).mapToObj((i) -> "locked" + i).toList();
		locked.forEach((rows) -> fail(rows, RequestTurns.SLOW, null));
		CountDownLatch end = new CountDownLatch(1);
		Future<Boolean> slow = occupy(this.turns, locked.get(0), end);
		this.now.addAndGet(RequestTurns.RECENT.multipliedBy(3).toNanos());
		List<Future<Boolean>> requests = locked.stream().map((rows) -> this.threads.submit(() -> run(rows))).toList();
		await().until(() -> this.turns.waitingForSlowTurn() == locked.size());
		assertThat(requests).noneMatch(Future::isDone);
		end.countDown();
		assertThat(slow).succeedsWithin(TIMEOUT);
		assertThat(requests).allSatisfy((request) -> assertThat(request).succeedsWithin(TIMEOUT));
	}

	@Test
	void rowsAreNotSlowAfterASuccessOrAQuickFailureOrWithoutAConnectionOrAfterAMinute() throws Exception {
		fail("a", RequestTurns.SLOW, null);
		assertThat(run("a")).isTrue();
		fail("b", RequestTurns.SLOW.minusNanos(1), null);
		fail("c", TIMEOUT.minusNanos(1), new CannotGetJdbcConnectionException("no connection"));
		fail("d", RequestTurns.SLOW, null);
		this.now.addAndGet(RequestTurns.FORGET.toNanos());
		fail("slow", RequestTurns.SLOW, null);
		CountDownLatch end = new CountDownLatch(1);
		Future<Boolean> slow = occupy(this.turns, "slow", end);
		for (String rows : List.of("a", "b", "c", "d")) {
			assertThat(run(rows)).as(rows).isTrue();
		}
		end.countDown();
		assertThat(slow).succeedsWithin(TIMEOUT);
	}

	private Boolean run(String rows) {
		return this.turns.run(rows, rows, TIMEOUT, (left) -> true);
	}

	private void fail(String rows, Duration after, RuntimeException cause) {
		failWithTurn(rows, rows, after, cause);
	}

	private void failWithTurn(String turn, String rows, Duration after, RuntimeException cause) {
		assertThatExceptionOfType(SegmentStoreException.class)
			.isThrownBy(() -> this.turns.run(turn, rows, TIMEOUT, (left) -> {
				this.now.addAndGet(after.toNanos());
				throw new SegmentStoreException("the statement timed out", cause, false);
			}))
			.withMessage("the statement timed out");
	}

	// returns when the request runs
	private Future<Boolean> occupy(RequestTurns turns, String rows, CountDownLatch end) throws InterruptedException {
		CountDownLatch running = new CountDownLatch(1);
		Future<Boolean> request = this.threads.submit(() -> turns.run(rows, rows, TIMEOUT, (left) -> {
			running.countDown();
			try {
				end.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return true;
		}));
		running.await();
		return request;
	}

	@Test
	void requestsOfClientsAndThePageForRowsTakeTurns() throws Exception {
		try (ConfigurableApplicationContext server = RangeServers.start("jdbc:h2:mem:shared")) {
			assertThat(get(server, "local.server.port", "/api/segment/get/seen")).isEqualTo(200);
			CountDownLatch end = new CountDownLatch(1);
			Future<Boolean> request = occupy(server.getBean(RequestTurns.class), RequestTurns.ROWS, end);
			List<String> shared = List.of("/api/segment/rows", "/api/segment/rows?key=seen",
					"/api/segment/allocate/unseen?size=1");
			for (String path : shared) {
				ResponseEntity<String> response = send(server, HttpMethod.POST, "local.server.port", path);
				assertThat(response.getStatusCode().value()).as(path).isEqualTo(503);
				assertThat(response.getHeaders().getFirst("Retry-After")).as(path).isEqualTo("1");
			}
			assertThat(get(server, "local.management.port", "/db")).isEqualTo(503);
			String lease = "/api/snowflake/lease/time?name=shop&timestamp-bits=41&worker-bits=10&sequence-bits=12&unit=MILLISECONDS&epoch=2020-01-01T00:00:00Z";
			assertThat(send(server, HttpMethod.POST, "local.server.port", lease).getStatusCode().value())
				.isEqualTo(200);
			assertThat(get(server, "local.server.port", "/api/segment/get/new")).as("rows of the server's generator")
				.isEqualTo(200);
			assertThat(
					send(server, HttpMethod.POST, "local.server.port", "/api/segment/allocate/seen?size=1&direct=true")
						.getStatusCode()
						.value())
				.isEqualTo(200);
			end.countDown();
			assertThat(request).succeedsWithin(TIMEOUT);
			for (String path : shared) {
				assertThat(send(server, HttpMethod.POST, "local.server.port", path).getStatusCode().value()).as(path)
					.isEqualTo(path.contains("unseen") ? 404 : 200);
			}
			assertThat(get(server, "local.management.port", "/db")).isEqualTo(200);
		}
	}

	private static int get(ConfigurableApplicationContext server, String port, String path) {
		return send(server, HttpMethod.GET, port, path).getStatusCode().value();
	}

	private static ResponseEntity<String> send(ConfigurableApplicationContext server, HttpMethod method, String port,
			String path) {
		return RestClient.create()
			.method(method)
			.uri("http://127.0.0.1:" + server.getEnvironment().getProperty(port) + path)
			.retrieve()
			.onStatus(HttpStatusCode::isError, (request, response) -> {
			})
			.toEntity(String.class);
	}

	@Test
	void lockedLeaseRecordsOccupyOneConnectionAndStopNoOtherName() throws Exception {
		String database = "jdbc:h2:mem:lockedleases";
		try (ConfigurableApplicationContext server = RangeServers.start(database)) {
			ServerSegmentStore segments = RangeServers.store(server);
			segments.create("order", 1000, 1);
			WorkerLeaseStore shop = leases(server, "shop");
			WorkerLeaseStore orders = leases(server, "orders");
			try (Connection other = DriverManager.getConnection(database, "", "");
					Statement statement = other.createStatement()) {
				other.setAutoCommit(false);
				statement.execute("DELETE FROM leaf_worker WHERE name = 'shop'");
				List<Future<Boolean>> renewals = List.of(renew(shop), renew(shop));
				assertThat(mostBlocked(database, renewals)).isEqualTo(1);
				assertThat(renewals).allSatisfy((renewal) -> assertThat(renewal).failsWithin(TIMEOUT)
					.withThrowableThat()
					.withCauseInstanceOf(WorkerLeaseStoreException.class));
				List<Future<Boolean>> more = List.of(renew(shop), renew(shop));
				assertThat(orders.write(1, 1, lease(2))).isTrue();
				assertThat(segments.allocate("order", 10, 0, TIMEOUT)).isNotNull();
				assertThat(more).allSatisfy((renewal) -> assertThat(renewal).failsWithin(TIMEOUT)
					.withThrowableThat()
					.withCauseInstanceOf(WorkerLeaseStoreException.class));
			}
		}
	}

	@Test
	void severalNamesWhoseRecordsAreLockedOccupyOneConnectionOnceTheyAreSlow() throws Exception {
		String database = "jdbc:h2:mem:lockednames";
		try (ConfigurableApplicationContext server = RangeServers.start(database)) {
			WorkerLeaseStore shop = leases(server, "shop");
			WorkerLeaseStore orders = leases(server, "orders");
			try (Connection other = DriverManager.getConnection(database, "", "");
					Statement statement = other.createStatement()) {
				other.setAutoCommit(false);
				statement.execute("DELETE FROM leaf_worker WHERE name IN ('shop', 'orders')");
				assertThat(mostBlocked(database, List.of(renew(shop), renew(orders)))).isEqualTo(2);
				assertThat(shop.read(1)).isNotNull();
				assertThat(orders.read(1)).isNotNull();
				assertThat(mostBlocked(database, List.of(renew(shop), renew(orders)))).isEqualTo(1);
			}
		}
	}

	@Test
	void aNameAndAKeyWhoseRowsAreLockedOccupyOneConnectionOnceTheyAreSlow() throws Exception {
		String database = "jdbc:h2:mem:lockednameandkey";
		try (ConfigurableApplicationContext server = RangeServers.start(database)) {
			ServerSegmentStore segments = RangeServers.store(server);
			segments.create("locked", 1000, 1);
			WorkerLeaseStore shop = leases(server, "shop");
			try (Connection other = DriverManager.getConnection(database, "", "");
					Statement statement = other.createStatement()) {
				other.setAutoCommit(false);
				statement.execute("DELETE FROM leaf_worker WHERE name = 'shop'");
				statement.execute("UPDATE leaf_alloc SET step = 5 WHERE biz_tag = 'locked'");
				Callable<Boolean> allocation = () -> segments.allocate("locked", 1, 0, Duration.ofSeconds(3)) != null;
				assertThat(mostBlocked(database, List.of(renew(shop), this.threads.submit(allocation)))).isEqualTo(2);
				assertThat(mostBlocked(database, List.of(renew(shop), this.threads.submit(allocation)))).isEqualTo(1);
			}
		}
	}

	private static long mostBlocked(String database, List<Future<Boolean>> renewals) {
		JdbcTemplate jdbc = RangeServers.jdbc(database);
		AtomicLong most = new AtomicLong();
		await().until(() -> {
			most.accumulateAndGet(blocked(jdbc), Math::max);
			return renewals.stream().allMatch(Future::isDone);
		});
		return most.get();
	}

	private static WorkerLeaseStore leases(ConfigurableApplicationContext server, String name) {
		WorkerLeaseStore store = new ServerWorkerLeaseStore(RangeServers.servers(null, server), name);
		store.open(SnowflakeLayout.LEAF);
		assertThat(store.write(1, WorkerLeaseStore.ABSENT, lease(1))).isTrue();
		return store;
	}

	private static Lease lease(long version) {
		return new Lease("a", 1000, "host:1", 1, 1, version);
	}

	private Future<Boolean> renew(WorkerLeaseStore store) {
		return this.threads.submit(() -> store.write(1, 1, lease(2)));
	}

	private static long blocked(JdbcTemplate jdbc) {
		return jdbc.queryForObject("SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE BLOCKER_ID IS NOT NULL",
				Long.class);
	}

}
