// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.apache.curator.test.TestingServer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static io.leaf.snowflake.lease.TestLeases.NOW;
import static io.leaf.snowflake.lease.TestLeases.claimNew;
import static io.leaf.snowflake.lease.TestLeases.held;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests the store while ZooKeeper cannot be reached.
 */
class ZooKeeperUnavailableTests {

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	private ZooKeeperWorkerLeaseStore store(String connectString, Duration connectionTimeout) {
		return this.zooKeeper.store(
				new ZooKeeperSettings(connectString, null, Duration.ofSeconds(1), connectionTimeout), "10.0.0.1",
				"8080");
	}

	private static Duration failure(ThrowingCallable call, String address) {
		long start = System.nanoTime();
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(call)
			.withMessageContainingAll("leaf.snowflake.zookeeper.connect-string", address)
			.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
		return Duration.ofNanos(System.nanoTime() - start);
	}

	private static List<ThrowingCallable> calls(WorkerLeaseStore store, long version) {
		return List.of(store::readAll, () -> store.read(1), () -> store.write(1, version, held("a", NOW + 20)),
				() -> store.newWorkerId(Set.of()), store::currentTime);
	}

	@Test
	void openingWaitsForTheConnectionTimeout() throws IOException {
		String address = closedPort();
		ZooKeeperWorkerLeaseStore store = store(address, Duration.ofMillis(500));
		assertThat(failure(() -> store.open(SnowflakeLayout.LEAF), address)).isBetween(Duration.ofMillis(500),
				Duration.ofSeconds(5));
		// another attempt has the same result
		failure(() -> store.open(SnowflakeLayout.LEAF), address);
	}

	private static String closedPort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return "127.0.0.1:" + socket.getLocalPort();
		}
	}

	@Test
	void aHostThatDoesNotExistIsReported() {
		ZooKeeperWorkerLeaseStore store = store("nowhere.invalid:2181", Duration.ofMillis(500));
		assertThat(failure(() -> store.open(SnowflakeLayout.LEAF), "nowhere.invalid:2181"))
			.isLessThan(Duration.ofSeconds(15));
	}

	@Test
	void aServerThatDoesNotAnswerIsReported() throws IOException {
		ZooKeeperProxy network = this.zooKeeper.closing(new ZooKeeperProxy(this.zooKeeper.port()));
		network.silent(true);
		ZooKeeperWorkerLeaseStore store = store(network.connectString(), Duration.ofMillis(500));
		assertThat(failure(() -> store.open(SnowflakeLayout.LEAF), network.connectString()))
			.isLessThan(Duration.ofSeconds(5));
	}

	@Test
	void callsFailWhileAServerDoesNotAnswer() throws IOException {
		ZooKeeperProxy network = this.zooKeeper.closing(new ZooKeeperProxy(this.zooKeeper.port()));
		ZooKeeperWorkerLeaseStore store = store(network.connectString(), Duration.ofSeconds(10));
		store.open(SnowflakeLayout.LEAF);
		long workerId = claimNew(store);
		long version = held("a", NOW + 10).version();
		network.silent(true);
		for (ThrowingCallable call : calls(store, version)) {
			assertThat(failure(call, network.connectString())).isLessThan(Duration.ofSeconds(4));
		}
		network.silent(false);
		await().ignoreExceptionsInstanceOf(WorkerLeaseStoreException.class)
			.untilAsserted(() -> assertThat(store.write(workerId, version, held("a", NOW + 20))).isTrue());
		network.silent(true);
		long start = System.nanoTime();
		store.close();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
	}

	@Test
	void callsFailWhileAServerIsStopped() throws Exception {
		try (TestingServer server = ZooKeeperExtension.newServer()) {
			ZooKeeperWorkerLeaseStore store = store(server.getConnectString(), Duration.ofSeconds(10));
			store.open(SnowflakeLayout.LEAF);
			long workerId = claimNew(store);
			long version = held("a", NOW + 10).version();
			server.stop();
			for (ThrowingCallable call : calls(store, version)) {
				assertThat(failure(call, server.getConnectString())).isLessThan(Duration.ofSeconds(4));
			}
			server.restart();
			await().ignoreExceptionsInstanceOf(WorkerLeaseStoreException.class)
				.untilAsserted(() -> assertThat(store.write(workerId, version, held("a", NOW + 20))).isTrue());
			server.stop();
			long start = System.nanoTime();
			store.close();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
		}
	}

	@Test
	void theRestartOfAServerIsReported() throws Exception {
		try (TestingServer server = ZooKeeperExtension.newServer()) {
			ZooKeeperWorkerLeaseStore store = store(server.getConnectString(), Duration.ofSeconds(10));
			Semaphore returns = new Semaphore(0);
			store.open(SnowflakeLayout.LEAF);
			store.whenBack(returns::release);
			server.stop();
			failure(store::readAll, server.getConnectString());
			assertThat(returns.availablePermits()).isZero();
			server.restart();
			assertThat(returns.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
			assertThat(store.readAll()).isEmpty();
		}
	}

	@Test
	void theStartOfAServerIsReportedIfItWasUnavailableBefore() throws Exception {
		try (TestingServer server = ZooKeeperExtension.newServer()) {
			server.stop();
			ZooKeeperWorkerLeaseStore store = store(server.getConnectString(), Duration.ofMillis(100));
			Semaphore returns = new Semaphore(0);
			store.whenBack(returns::release);
			failure(() -> store.open(SnowflakeLayout.LEAF), server.getConnectString());
			server.restart();
			assertThat(returns.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
		}
	}

	@Test
	void aStoreThatIsNotOpenOrClosedReportsThis() {
		ZooKeeperWorkerLeaseStore store = this.zooKeeper.store("10.0.0.1", "8080");
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(store::readAll)
			.withMessageContaining("is not open");
		store.open(SnowflakeLayout.LEAF);
		store.close();
		store.close();
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(store::readAll)
			.withMessageContaining("closed")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	@Test
	void anInterruptEndsTheCall() throws IOException {
		ZooKeeperProxy network = this.zooKeeper.closing(new ZooKeeperProxy(this.zooKeeper.port()));
		ZooKeeperWorkerLeaseStore store = store(network.connectString(), Duration.ofSeconds(10));
		store.open(SnowflakeLayout.LEAF);
		network.latency(Duration.ofMillis(100));
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(store::readAll)
			.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
		assertThat(Thread.interrupted()).isTrue();
		assertThat(store.readAll()).isEmpty();
	}

}
