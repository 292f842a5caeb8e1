// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.testcontainers;

import java.util.List;

import io.leaf.autoconfigure.snowflake.LeafZooKeeperConnectionDetails;
import org.testcontainers.containers.Container;

import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/**
 * Provides the address of a ZooKeeper server that runs in a container with
 * {@code @ServiceConnection}. Testcontainers has no container type for ZooKeeper, so the
 * container is recognized by its image or by the name in the annotation.
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
