// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

import org.springframework.util.DigestUtils;

/**
 * Pgpool-II, which sends writes to the primary and queries to any member. It searches for
 * the primary when a member is detached or attached.
 */
final class Pgpool extends LocalProxy {

	/** The directory of the programs on Debian. */
	private static final Path PROGRAMS = Path.of("/usr/sbin");

	private static final String OPERATOR = "leaf";

	private final List<PostgresServer> members;

	private final int operatorPort = ServerFiles.freePort();

	/** The directory of the password and the output of the operator's commands. */
	private final Path operator = directory().resolve("operator");

	/** The directory of the sockets. */
	private final Path data = directory().resolve("data");

	/**
	 * Starts the proxy.
	 * @param members a primary and its standby
	 */
	Pgpool(List<PostgresServer> members) {
		super(PROGRAMS.resolve("pgpool"));
		this.members = members;
		StringBuilder config = new StringBuilder("""
				listen_addresses = '127.0.0.1'
				port = %d
				pcp_listen_addresses = ''
				pcp_port = %d
				socket_dir = '%3$s'
				pcp_socket_dir = '%3$s'
				wd_ipc_socket_dir = '%3$s'
				pid_file_name = '%3$s/pgpool.pid'
				logdir = '%3$s'
				pool_passwd = ''
				backend_clustering_mode = 'streaming_replication'
				load_balance_mode = on
				num_init_children = 64
				max_pool = 1
				sr_check_period = 1
				sr_check_user = '%4$s'
				health_check_period = 1
				health_check_timeout = 5
				health_check_max_retries = 3
				health_check_retry_delay = 1
				health_check_user = '%4$s'
				failover_on_backend_error = off
				""".formatted(port(), this.operatorPort, this.data, members.get(0).username()));
		for (int i = 0; i < members.size(); i++) {
			config.append("""
					backend_hostname%1$d = '127.0.0.1'
					backend_port%1$d = %2$d
					""".formatted(i, members.get(i).port()));
		}
		List<String> prefix = Unprivileged.prefix(directory(), this.data);
		try {
			Files.createDirectories(this.data);
			Files.createDirectory(this.operator);
			Files.createFile(this.operator.resolve("password"),
					PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
			Files.writeString(this.operator.resolve("password"), "*:*:%s:%1$s\n".formatted(OPERATOR));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(prefix, "-n", "-D", "-f", write("pgpool.conf", config.toString()), "-F",
				write("pcp.conf", "%s:%s\n".formatted(OPERATOR, DigestUtils.md5DigestAsHex(OPERATOR.getBytes()))), "-a",
				write("pool_hba.conf", ""));
	}

	/**
	 * Detaches a member: Pgpool-II no longer uses it.
	 */
	void detach(LocalServer member) {
		operate("pcp_detach_node", member);
	}

	/**
	 * Attaches a member that was detached.
	 */
	void attach(LocalServer member) {
		operate("pcp_attach_node", member);
	}

	private void operate(String program, LocalServer member) {
		ServerProcess.run(this.operator, Map.of("PCPPASSFILE", this.operator.resolve("password").toString()),
				List.of(PROGRAMS.resolve(program).toString(), "-h", this.data.toString(), "-p",
						Integer.toString(this.operatorPort), "-U", OPERATOR, "-w", "-n",
						Integer.toString(this.members.indexOf(member))));
	}

}
