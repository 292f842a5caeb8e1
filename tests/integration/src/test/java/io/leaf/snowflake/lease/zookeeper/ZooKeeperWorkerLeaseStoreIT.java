// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.leaf.snowflake.lease.SharedWorkerLeaseStoreContract;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.test.server.TestScope;
import io.leaf.test.server.ZooKeeperProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Tests the contract of the store on servers outside this process.
 */
class ZooKeeperWorkerLeaseStoreIT {

	/**
	 * Tests on a server in a separate process.
	 */
	@Nested
	class ServerProcess extends RealZooKeeperContract {

		@AutoClose
		private static ZooKeeperProcess server;

		@BeforeAll
		static void start() {
			server = ZooKeeperProcess.launch();
		}

		@Override
		String connectString() {
			return server.connectString();
		}

	}

	/**
	 * Tests on the official image, if Docker is available. Otherwise only
	 * {@link ServerProcess} runs.
	 */
	@Nested
	@EnabledIf("isDockerPresent")
	class Container extends RealZooKeeperContract {

		private static final int PORT = 2181;

		@AutoClose
		private static GenericContainer<?> server;

		static boolean isDockerPresent() {
			return TestScope.isDockerPresent("ZooKeeperWorkerLeaseStoreIT.Container");
		}

		@BeforeAll
		static void start() {
			server = new GenericContainer<>(DockerImageName.parse("zookeeper:3.9")).withExposedPorts(PORT);
			server.start();
		}

		@Override
		String connectString() {
			return server.getHost() + ":" + server.getMappedPort(PORT);
		}

	}

	abstract static class RealZooKeeperContract extends SharedWorkerLeaseStoreContract {

		private final String name = "contract-" + UUID.randomUUID();

		private final List<WorkerLeaseStore> stores = new ArrayList<>();

		/**
		 * Returns the connect string of the server.
		 */
		abstract String connectString();

		@AfterEach
		void closeStores() {
			this.stores.forEach(WorkerLeaseStore::close);
		}

		private WorkerLeaseStore store(String application, String host) {
			ZooKeeperSettings settings = new ZooKeeperSettings(connectString(), null, Duration.ofSeconds(6),
					Duration.ofSeconds(10));
			WorkerLeaseStore created = ZooKeeperWorkerLeaseStore.connectingTo(settings, application, host, "8080");
			this.stores.add(created);
			return created;
		}

		@Override
		protected WorkerLeaseStore createStore() {
			return store(this.name, "10.0.0.1");
		}

		@Override
		protected WorkerLeaseStore restart() {
			this.store.close();
			return createStore();
		}

		@Override
		protected WorkerLeaseStore createStoreOfAnotherProcess(int number) {
			return store(this.name, "10.0.0." + number);
		}

		@Override
		protected WorkerLeaseStore createStoreOfAnEmptyApplication() {
			return store(this.name + "-empty", "10.0.0.1");
		}

	}

}
