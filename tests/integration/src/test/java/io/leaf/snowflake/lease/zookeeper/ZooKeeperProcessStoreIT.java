// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import io.leaf.test.server.ZooKeeperProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Tests on a server in a separate process.
 */
class ZooKeeperProcessStoreIT extends RealZooKeeperContract {

	private static ZooKeeperProcess server;

	@BeforeAll
	static void start() {
		server = ZooKeeperProcess.launch();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@Override
	String connectString() {
		return server.connectString();
	}

}
