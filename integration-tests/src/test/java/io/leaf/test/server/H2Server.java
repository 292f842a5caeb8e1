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

/**
 * H2 in memory, in its own mode. Its databases live as long as the JVM.
 */
final class H2Server extends JdbcServer {

	@Override
	public String jdbcUrl() {
		return url("leaf");
	}

	@Override
	public String username() {
		return "sa";
	}

	@Override
	public String password() {
		return "";
	}

	@Override
	public String createDatabase(String name) {
		return url(unique(name));
	}

	private static String url(String database) {
		return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
	}

}
