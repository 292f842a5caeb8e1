// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.util.Set;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.jdbc.TableName;
import io.leaf.segment.jdbc.HookedDataSource;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.TestLeases;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.snowflake.lease.jdbc.JdbcWorkerLeaseStore;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.JdbcUrls;
import io.leaf.test.server.Pools;
import io.leaf.test.server.TcpProxy;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the lease table behind a network that loses answers, and for a user with few
 * rights.
 */
class WorkerLeaseTableIT {

	private static final String USER = "leaf_worker_limited";

	private final DatabaseServer server = Databases.mysql();

	private final HikariDataSource pool = Pools.of(this.server, "leases");

	private final JdbcTemplate jdbc = new JdbcTemplate(this.pool);

	private final TcpProxy network = TcpProxy.inFrontOf(this.pool.getJdbcUrl());

	private final WorkerLeaseStore direct = store(this.pool);

	private final HookedDataSource throughTheNetwork = new HookedDataSource(new DriverManagerDataSource(
			this.network.through(this.pool.getJdbcUrl()), this.server.username(), this.server.password()));

	@BeforeEach
	void createTable() {
		new ResourceDatabasePopulator(new ClassPathResource("schema-mysql.sql", JdbcSegmentStore.class))
			.execute(this.pool);
		this.direct.open(SnowflakeLayout.LEAF);
	}

	@AfterEach
	void close() {
		this.jdbc.execute("DROP USER IF EXISTS " + USER);
		this.network.close();
		this.pool.close();
	}

	private static WorkerLeaseStore store(DataSource dataSource) {
		return new JdbcWorkerLeaseStore(dataSource, null, new TableName(JdbcWorkerLeaseStore.DEFAULT_TABLE), "orders");
	}

	private static Lease lease(String owner, long horizon) {
		return TestLeases.lease(owner, horizon, "10.0.0.1:8080", 1, 1);
	}

	private LeaseRecord read() {
		LeaseRecord record = this.direct.read(0);
		assertThat(record).isNotNull();
		return record;
	}

	@Test
	void aClaimWhoseAnswerIsLostIsStoredAndCanBeRepeated() {
		WorkerLeaseStore store = openedThroughTheNetwork();
		assertAnswerLost(() -> store.write(0, WorkerLeaseStore.ABSENT, lease("mine", 10)));
		assertThat(read().lease()).isEqualTo(lease("mine", 10));
		assertThat(store.read(0)).as("the record, read through the network, which works again").isNotNull();
		assertThat(store.write(0, WorkerLeaseStore.ABSENT, lease("mine", 10))).as("the same claim again").isTrue();
		assertThat(store.write(0, WorkerLeaseStore.ABSENT, lease("yours", 10))).as("another claim").isFalse();
		assertThat(read().lease()).isEqualTo(lease("mine", 10));
	}

	@Test
	void aRenewalWhoseAnswerIsLostIsStored() {
		WorkerLeaseStore store = openedThroughTheNetwork();
		assertThat(store.write(0, WorkerLeaseStore.ABSENT, lease("mine", 10))).isTrue();
		long version = lease("mine", 10).version();
		assertAnswerLost(() -> store.write(0, version, lease("mine", 20)));
		assertThat(read().lease()).isEqualTo(lease("mine", 20));
		assertThat(store.write(0, version, lease("mine", 30))).isFalse();
		assertThat(store.write(0, read().version(), lease("mine", 30))).isTrue();
	}

	private WorkerLeaseStore openedThroughTheNetwork() {
		WorkerLeaseStore store = store(this.throughTheNetwork);
		store.open(SnowflakeLayout.LEAF);
		return store;
	}

	private void assertAnswerLost(ThrowingCallable write) {
		this.throughTheNetwork.beforeWrites(this.network::dropAnswers);
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(write)
			.withMessageContaining("leaf_worker")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
		this.throughTheNetwork.beforeWrites(() -> {
		});
		this.network.heal();
	}

	@Test
	void aFailedNetworkIsReportedAndRecoveredFrom() {
		WorkerLeaseStore store = openedThroughTheNetwork();
		this.network.cut();
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> store.read(0))
			.withMessageContainingAll("Cannot reach the database of table leaf_worker", "spring.datasource.url")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
		this.network.heal();
		assertThat(store.read(0)).isNull();
	}

	@Test
	void theDocumentedRightsAreEnough() {
		WorkerLeaseStore store = storeOfLimitedUser("SELECT, INSERT, UPDATE");
		store.open(SnowflakeLayout.LEAF);
		assertThat(store.write(0, WorkerLeaseStore.ABSENT, lease("a", 10))).isTrue();
		long version = lease("a", 10).version();
		assertThat(store.write(0, version, lease("a", 20))).isTrue();
		assertThat(store.readAll()).hasSize(1);
		assertThat(store.newWorkerId(Set.of())).hasValue(1);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			SELECT | INSERT, UPDATE
			INSERT | SELECT, UPDATE
			UPDATE | SELECT, INSERT
			""")
	void aMissingRightIsReported(String missing, String granted) {
		WorkerLeaseStore store = storeOfLimitedUser(granted);
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> {
			store.open(SnowflakeLayout.LEAF);
			assertThat(store.write(0, WorkerLeaseStore.ABSENT, lease("a", 10))).isTrue();
			long version = lease("a", 10).version();
			store.write(0, version, lease("a", 20));
		})
			.withMessageContainingAll("lacks privileges on table leaf_worker", missing + " command denied",
					"Grant SELECT, INSERT and UPDATE")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	private WorkerLeaseStore storeOfLimitedUser(String rights) {
		this.jdbc.execute("DROP USER IF EXISTS " + USER);
		this.jdbc.execute("CREATE USER " + USER + " IDENTIFIED BY 'right'");
		this.jdbc.execute("GRANT " + rights + " ON leaf_worker TO " + USER);
		// without TLS, MySQL's default authentication requests the server's public key
		String url = JdbcUrls.with(this.pool.getJdbcUrl(), "allowPublicKeyRetrieval", "true");
		return store(new DriverManagerDataSource(url, USER, "right"));
	}

}
