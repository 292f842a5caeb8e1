// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.nio.file.Path;

/**
 * PgBouncer in transaction mode, in front of one address of PostgreSQL. Consecutive
 * transactions of a client may run in different sessions of the server.
 */
final class Pgbouncer extends LocalProxy {

	/**
	 * Starts PgBouncer.
	 * @param upstream the port of PostgreSQL, or of a proxy in front of it
	 */
	Pgbouncer(int upstream, String username, String password) {
		super(Path.of("/usr/sbin/pgbouncer"));
		String users = write("users.txt", "\"%s\" \"%s\"\n".formatted(username, password));
		String config = write("pgbouncer.ini", """
				[databases]
				* = host=127.0.0.1 port=%d
				[pgbouncer]
				listen_addr = 127.0.0.1
				listen_port = %d
				unix_socket_dir =
				auth_type = trust
				auth_file = %s
				pool_mode = transaction
				ignore_startup_parameters = extra_float_digits
				max_client_conn = 500
				default_pool_size = 20
				server_login_retry = 0.2
				""".formatted(upstream, port(), users));
		start(Unprivileged.prefix(directory(), directory().resolve("data")), config);
	}

}
