// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.leaf.snowflake.lease.SharedWorkerLeaseStoreContract;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import org.junit.jupiter.api.AfterEach;

/**
 * The contract of the store, on a server outside this process.
 */
abstract class RealZooKeeperContract extends SharedWorkerLeaseStoreContract {

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
