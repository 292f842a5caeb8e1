// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.testcontainers;

import org.testcontainers.containers.JdbcDatabaseContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Behaves like the container of a database, with an in-memory H2 in its place. It starts
 * nothing, so Docker is not needed.
 */
final class StubDatabaseContainer extends JdbcDatabaseContainer<StubDatabaseContainer> {

	private static final String IMAGE = "mysql:8.4";

	private final String jdbcUrl;

	StubDatabaseContainer(String jdbcUrl) {
		super(DockerImageName.parse(IMAGE));
		this.jdbcUrl = jdbcUrl;
	}

	@Override
	public void start() {
	}

	@Override
	public void stop() {
	}

	@Override
	public String getDockerImageName() {
		return IMAGE;
	}

	@Override
	public String getDriverClassName() {
		return "org.h2.Driver";
	}

	@Override
	public String getJdbcUrl() {
		return this.jdbcUrl;
	}

	@Override
	public String getUsername() {
		return "sa";
	}

	@Override
	public String getPassword() {
		return "";
	}

	@Override
	protected String getTestQueryString() {
		return "SELECT 1";
	}

}
