// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

/**
 * Tests that {@link InMemoryWorkerLeaseStore}, which other tests use, fulfils the
 * contract.
 */
class InMemoryWorkerLeaseStoreTests extends WorkerLeaseStoreContract {

	private final InMemoryWorkerLeaseStore records = new InMemoryWorkerLeaseStore(() -> NOW);

	@Override
	protected WorkerLeaseStore createStore() {
		return this.records;
	}

	@Override
	protected WorkerLeaseStore restart() {
		return this.records.another();
	}

}
