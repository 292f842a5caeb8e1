// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A server that somebody else runs. The databases created on it are dropped when the JVM
 * ends.
 */
final class RemoteServer extends JdbcServer {

	private final String url;

	private final String username;

	private final String password;

	private final List<String> databases = new CopyOnWriteArrayList<>();

	RemoteServer(String url, String username, String password) {
		this.url = url;
		this.username = username;
		this.password = password;
		ExitActions.add(this::dropDatabases);
	}

	@Override
	public String jdbcUrl() {
		return this.url;
	}

	@Override
	public String username() {
		return this.username;
	}

	@Override
	public String password() {
		return this.password;
	}

	@Override
	public String createDatabase(String name) {
		String database = unique(name);
		execute("CREATE DATABASE " + database);
		this.databases.add(database);
		return JdbcUrls.withDatabase(this.url, database);
	}

	private void dropDatabases() {
		this.databases.forEach((database) -> execute("DROP DATABASE IF EXISTS " + database));
	}

}
