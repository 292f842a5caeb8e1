// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.snowflake;

import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/**
 * Provides the address of a ZooKeeper service in a {@code compose.yaml}. The service is
 * recognized by its image.
 */
class LeafZooKeeperDockerComposeConnectionDetailsFactory
		extends DockerComposeConnectionDetailsFactory<LeafZooKeeperConnectionDetails> {

	private static final String[] IMAGES = { "zookeeper", "bitnami/zookeeper", "bitnamilegacy/zookeeper" };

	private static final int PORT = 2181;

	LeafZooKeeperDockerComposeConnectionDetailsFactory() {
		super(IMAGES);
	}

	@Override
	protected LeafZooKeeperConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
		return new ServiceConnectionDetails(source.getRunningService());
	}

	private static final class ServiceConnectionDetails extends DockerComposeConnectionDetails
			implements LeafZooKeeperConnectionDetails {

		private final String connectString;

		ServiceConnectionDetails(RunningService service) {
			super(service);
			this.connectString = service.host() + ":" + service.ports().get(PORT);
		}

		@Override
		public String getConnectString() {
			return this.connectString;
		}

	}

}
