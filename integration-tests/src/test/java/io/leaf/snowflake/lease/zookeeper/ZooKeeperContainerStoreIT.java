/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.snowflake.lease.zookeeper;

import io.leaf.test.server.TestScope;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * On the image that people run, where Docker is present. Elsewhere
 * {@link ZooKeeperProcessStoreIT} is what there is.
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
