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

package io.leaf.test.testcontainers;

import java.util.List;

import io.leaf.autoconfigure.LeafZooKeeperConnectionDetails;
import org.testcontainers.containers.Container;

import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/**
 * Tells Leaf where the ZooKeeper is that runs in a container with
 * {@code @ServiceConnection}. Testcontainers has no type for it, so the image says what
 * it is, or the name of the connection.
 */
class ZooKeeperContainerConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<Container<?>, LeafZooKeeperConnectionDetails> {

	private static final List<String> IMAGES = List.of("zookeeper", "bitnami/zookeeper", "bitnamilegacy/zookeeper");

	private static final int PORT = 2181;

	ZooKeeperContainerConnectionDetailsFactory() {
		super(IMAGES);
	}

	@Override
	protected LeafZooKeeperConnectionDetails getContainerConnectionDetails(
			ContainerConnectionSource<Container<?>> source) {
		return new ZooKeeperContainerConnectionDetails(source);
	}

	private static final class ZooKeeperContainerConnectionDetails extends ContainerConnectionDetails<Container<?>>
			implements LeafZooKeeperConnectionDetails {

		ZooKeeperContainerConnectionDetails(ContainerConnectionSource<Container<?>> source) {
			super(source);
		}

		@Override
		public String getConnectString() {
			Container<?> container = getContainer();
			return container.getHost() + ":" + container.getMappedPort(PORT);
		}

	}

}
