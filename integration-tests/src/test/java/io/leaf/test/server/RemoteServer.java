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
