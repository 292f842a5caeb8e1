// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

import io.leaf.WorkerIdUnavailableException;
import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeSettings;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.snowflake.lease.LeaseSettings;
import io.leaf.snowflake.lease.file.FileSavedLeaseStore;
import io.leaf.snowflake.lease.file.Machine;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests a process that stops while its store is unreachable, and therefore leaves its
 * claim in the state file. The claim is valid only in that store.
 */
class ClaimOfAnotherStoreTests {

	private static final Duration MAX_DRIFT = Duration.ofSeconds(10);

	@TempDir
	private Path stateDir;

	private LeaseKeeper start(String connectString) {
		SnowflakeLanes lanes = new SnowflakeLanes(
				new SnowflakeSettings(SnowflakeLayout.LEAF, Duration.ofMillis(100), 1, Duration.ofSeconds(2)),
				new GeneratorClock(InstantSource.system(), System::nanoTime, MAX_DRIFT));
		ZooKeeperSettings settings = new ZooKeeperSettings(connectString, null, Duration.ofSeconds(1),
				Duration.ofMillis(500));
		LeaseKeeper keeper = new LeaseKeeper(
				ZooKeeperWorkerLeaseStore.connectingTo(settings, "orders", "10.0.0.1", "8080"),
				new FileSavedLeaseStore(this.stateDir, "orders", "8080", Machine.local("10.0.0.1")), lanes,
				new LeaseSettings("orders", "10.0.0.1:8080", Duration.ofSeconds(3), Duration.ofHours(1), MAX_DRIFT));
		keeper.start();
		return keeper;
	}

	@Test
	void aClaimIsNotResumedIfAnotherEnsembleOrPathIsConfigured() throws Exception {
		try (TestingServer server = ZooKeeperExtension.newServer();
				TestingServer other = ZooKeeperExtension.newServer()) {
			LeaseKeeper before = start(server.getConnectString());
			long workerId = before.status().workerIds().get(0);
			server.stop();
			other.stop();
			before.close();
			assertRefused(other.getConnectString(), "127.0.0.1:%d/snowflake/orders".formatted(server.getPort()),
					"127.0.0.1:%d/snowflake/orders".formatted(other.getPort()));
			assertRefused(server.getConnectString() + "/other",
					"127.0.0.1:%d/snowflake/orders".formatted(server.getPort()),
					"127.0.0.1:%d/other/snowflake/orders".formatted(server.getPort()));
			// the same ensemble, in another notation
			try (LeaseKeeper after = start(" 127.0.0.1:%1$d , 127.0.0.1:%1$d".formatted(server.getPort()))) {
				assertThat(after.status().workerIds()).containsExactly(workerId);
			}
		}
	}

	private void assertRefused(String connectString, String recorded, String configured) {
		assertThatExceptionOfType(WorkerIdUnavailableException.class).isThrownBy(() -> start(connectString).close())
			.withMessageContainingAll("store is 'zookeeper " + configured, "'zookeeper " + recorded + "' is recorded",
					"Start the process while the store of worker IDs can be reached");
	}

}
