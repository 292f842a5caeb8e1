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

package io.leaf.autoconfigure;

import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

/**
 * Tells Leaf where the ZooKeeper is that a {@code compose.yaml} starts, by its image.
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
