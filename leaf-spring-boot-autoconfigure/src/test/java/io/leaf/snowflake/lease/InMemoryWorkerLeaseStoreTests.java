// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

/**
 * The store that other tests rest on keeps the contract.
 */
class InMemoryWorkerLeaseStoreTests extends WorkerLeaseStoreContract {

	private final InMemoryWorkerLeaseStore registers = new InMemoryWorkerLeaseStore(() -> NOW);

	@Override
	protected WorkerLeaseStore createStore() {
		return this.registers;
	}

	@Override
	protected WorkerLeaseStore restart() {
		return this.registers.another();
	}

}
