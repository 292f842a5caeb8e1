// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.routing;

import java.util.Map;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Routes to the primary server in transactions that can write, and otherwise, including
 * without a transaction, to the replica.
 */
class ReadWriteDataSource extends AbstractRoutingDataSource {

	ReadWriteDataSource(DataSource primary, DataSource replica) {
		setTargetDataSources(Map.of("primary", primary, "replica", replica));
	}

	@Override
	protected Object determineCurrentLookupKey() {
		boolean mayWrite = TransactionSynchronizationManager.isActualTransactionActive()
				&& !TransactionSynchronizationManager.isCurrentTransactionReadOnly();
		return mayWrite ? "primary" : "replica";
	}

}
