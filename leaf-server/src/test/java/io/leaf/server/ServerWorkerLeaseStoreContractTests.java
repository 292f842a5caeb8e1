// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.util.Map;
import java.util.UUID;

import io.leaf.http.LeafServers;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.SharedWorkerLeaseStoreContract;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.snowflake.lease.server.ServerWorkerLeaseStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Runs the contract of the store that keeps lease records on Leaf servers, with two
 * servers on one table in H2. The processes prefer different servers.
 */
class ServerWorkerLeaseStoreContractTests extends SharedWorkerLeaseStoreContract {

	private static final String DATABASE = "jdbc:h2:mem:" + UUID.randomUUID();

	private static ConfigurableApplicationContext first;

	private static ConfigurableApplicationContext second;

	@BeforeAll
	static void startServers() {
		first = RangeServers.start(DATABASE, "--leaf.server.clients.shop.token=sesame",
				"--leaf.server.clients.shop.names=orders,empty");
		second = RangeServers.start(DATABASE);
	}

	@AfterAll
	static void stopServers() {
		first.close();
		second.close();
	}

	@Override
	protected WorkerLeaseStore createStore() {
		jdbc().update("DELETE FROM leaf_worker");
		return store("orders", "sesame", first, second);
	}

	@Override
	protected WorkerLeaseStore restart() {
		return store("orders", "sesame", second, first);
	}

	@Override
	protected WorkerLeaseStore createStoreOfAnotherProcess(int number) {
		return (number % 2 == 0) ? store("orders", "sesame", first) : restart();
	}

	@Override
	protected WorkerLeaseStore createStoreOfAnEmptyApplication() {
		return store("empty", "sesame", second, first);
	}

	private static WorkerLeaseStore store(String name, String token, ConfigurableApplicationContext... servers) {
		return new ServerWorkerLeaseStore(RangeServers.servers(token, servers), name);
	}

	private static JdbcTemplate jdbc() {
		return RangeServers.jdbc(DATABASE);
	}

	@Test
	void theSourceIsServer() {
		assertThat(this.store.source()).isEqualTo("server");
	}

	@Test
	void aWriteThatIsSentToTwoServersTakesEffectOnce() {
		Lease lease = held("a", NOW + 10);
		assertThat(this.store.write(5, WorkerLeaseStore.ABSENT, lease)).isTrue();
		assertThat(restart(LAYOUT).write(5, WorkerLeaseStore.ABSENT, lease)).isTrue();
		Lease renewed = held("a", NOW + 20);
		assertThat(this.store.write(5, lease.version(), renewed)).isTrue();
		assertThat(restart(LAYOUT).write(5, lease.version(), renewed)).isTrue();
		assertThat(this.store.write(5, renewed.version(), held("a", NOW + 30))).isTrue();
		assertThat(restart(LAYOUT).write(5, lease.version(), renewed)).isFalse();
	}

	private WorkerLeaseStore restart(SnowflakeLayout layout) {
		WorkerLeaseStore store = restart();
		store.open(layout);
		return store;
	}

	@Test
	void aServerThatHasNotOpenedTheStoreReturnsItsRecords() {
		Lease lease = new Lease("b/é\"\\ +%", NOW + 10, "10.0.0.1:8080 \"ü\"", NOW, NOW, 77);
		assertThat(this.store.write(7, WorkerLeaseStore.ABSENT, lease)).isTrue();
		try (ConfigurableApplicationContext third = RangeServers.start(DATABASE)) {
			LeafServers servers = RangeServers.servers(null, third);
			ServerWorkerLeaseStore other = new ServerWorkerLeaseStore(servers, "orders");
			other.open(LAYOUT);
			LeaseRecord record = other.read(7);
			assertThat(record).isNotNull();
			assertThat(record.lease()).isEqualTo(lease);
			assertThat(record.storedAt()).isNotNull();
		}
	}

	@Test
	void aRowThatCannotBeUsedIsBlocked() {
		jdbc().update(
				"INSERT INTO leaf_worker (name, worker_id, version, owner, horizon, host, since, reported, stored_at) "
						+ "VALUES ('orders', 9, 1, 'x', -5, 'h', 0, 0, 0)");
		assertThat(this.store.read(9)).isNotNull()
			.satisfies((record) -> assertThat(record.blockedBy()).contains("horizon is -5"));
	}

	@Test
	void anotherLayoutIsRefused() {
		SnowflakeLayout other = SnowflakeLayout.JS_SAFE;
		WorkerLeaseStore store = restart();
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> store.open(other))
			.withMessageContaining("the two layouts could produce equal IDs")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	@Test
	void aWrongTokenOrNameIsRefused() {
		for (Map.Entry<String, String> each : Map.of("orders", "wrong", "other", "sesame").entrySet()) {
			WorkerLeaseStore store = store(each.getKey(), each.getValue(), first);
			assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> store.open(LAYOUT))
				.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
		}
		assertThat(jdbc().queryForList("SELECT DISTINCT name FROM leaf_worker", String.class))
			.containsExactly("orders");
	}

}
