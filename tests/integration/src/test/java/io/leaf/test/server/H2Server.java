// SPDX-License-Identifier: Apache-2.0

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
