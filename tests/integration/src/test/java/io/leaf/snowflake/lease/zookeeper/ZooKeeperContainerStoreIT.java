// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import io.leaf.test.server.TestScope;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Tests on the official image, if Docker is available. Otherwise only
 * {@link ZooKeeperProcessStoreIT} runs.
 */
@EnabledIf("isDockerPresent")
class ZooKeeperContainerStoreIT extends RealZooKeeperContract {

	private static final int PORT = 2181;

	private static GenericContainer<?> server;

	static boolean isDockerPresent() {
		return TestScope.isDockerPresent("ZooKeeperContainerStoreIT");
	}

	@BeforeAll
	static void start() {
		server = new GenericContainer<>(DockerImageName.parse("zookeeper:3.9")).withExposedPorts(PORT);
		server.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@Override
	String connectString() {
		return server.getHost() + ":" + server.getMappedPort(PORT);
	}

}
