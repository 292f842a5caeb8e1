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

import org.testcontainers.containers.GenericContainer;

/**
 * Answers as a container whose one port, 2181, is mapped to a port of this machine.
 * Starts nothing, so that Docker is not needed.
 */
final class StubContainer extends GenericContainer<StubContainer> {

	private final String image;

	private final int port;

	StubContainer(String image, int port) {
		super(image);
		this.image = image;
		this.port = port;
	}

	@Override
	public void start() {
	}

	@Override
	public void stop() {
	}

	@Override
	public String getDockerImageName() {
		return this.image;
	}

	@Override
	public String getHost() {
		return "localhost";
	}

	@Override
	public Integer getMappedPort(int originalPort) {
		if (originalPort != 2181) {
			throw new IllegalArgumentException("Requested port (%d) is not mapped".formatted(originalPort));
		}
		return this.port;
	}

}
