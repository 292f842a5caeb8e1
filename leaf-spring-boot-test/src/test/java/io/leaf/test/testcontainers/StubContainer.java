// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.testcontainers;

import org.testcontainers.containers.GenericContainer;

/**
 * Behaves like a container whose only port, 2181, is mapped to a port of this machine. It
 * starts nothing, so Docker is not needed.
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
