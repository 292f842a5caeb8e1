// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.SharedWorkerLeaseStoreContract;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ZooKeeperWorkerLeaseStoreTests extends SharedWorkerLeaseStoreContract {

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	@Override
	protected WorkerLeaseStore createStore() {
		return this.zooKeeper.store("10.0.0.1", "8080");
	}

	@Override
	protected WorkerLeaseStore restart() {
		this.store.close();
		return createStore();
	}

	@Override
	protected WorkerLeaseStore createStoreOfAnotherProcess(int number) {
		return this.zooKeeper.store("10.0.0." + number, "8080");
	}

	@Override
	protected WorkerLeaseStore createStoreOfAnEmptyApplication() {
		return this.zooKeeper.closing(ZooKeeperWorkerLeaseStore.connectingTo(this.zooKeeper.settings(),
				ZooKeeperExtension.newName(), "10.0.0.1", "8080"));
	}

	@Test
	void source_isZookeeper() {
		assertThat(this.store.source()).isEqualTo("zookeeper");
	}

	@Test
	void theLayoutIsRecorded() throws Exception {
		assertThat(this.zooKeeper.content("layout")).isEqualTo(LAYOUT.toString());
	}

	@Test
	void aRefusalOfTheLayoutNamesThePathAndTheApplication() {
		assertThatExceptionOfType(WorkerLeaseStoreException.class)
			.isThrownBy(() -> createStoreOfAnotherProcess(2).open(SnowflakeLayout.BAIDU))
			.withMessageContainingAll("leaf.name=" + this.zooKeeper.name(), this.zooKeeper.path("layout"),
					"leaf.snowflake.layout.*");
	}

	@Test
	void anInvalidNameOfANodeIsRefused() {
		for (String name : new String[] { "", " ", "a/b", "..", "a\u0000" }) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> ZooKeeperWorkerLeaseStore.connectingTo(this.zooKeeper.settings(), name, "h", "1"))
				.withMessageContaining("leaf.name");
		}
	}

	@Test
	void theClockOfTheServerIsReadWithoutLeavingATrace() throws Exception {
		long before = System.currentTimeMillis();
		assertThat(this.store.currentTime().orElseThrow()).isBetween(before, System.currentTimeMillis());
		assertThat(this.zooKeeper.stat("leases")).extracting("dataLength", "numChildren").containsExactly(0, 0);
	}

}
