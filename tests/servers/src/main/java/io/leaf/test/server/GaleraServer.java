// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A node of a Galera cluster: Debian's MariaDB, with the library and the scripts of
 * Galera. A node that joins copies the data of another node.
 */
final class GaleraServer extends LocalServer {

	private static final Path PROGRAM = Path.of("/usr/sbin/mariadbd");

	private static final Path LIBRARY = Path.of("/usr/lib/galera/libgalera_smm.so");

	private static final List<String> USER = List.of("CREATE USER IF NOT EXISTS 'leaf'@'%' IDENTIFIED BY 'leaf';",
			"GRANT ALL ON *.* TO 'leaf'@'%' WITH GRANT OPTION;");

	private final int groupPort = ServerFiles.freePort();

	private final int incrementalPort = ServerFiles.freePort();

	private final int copyPort = ServerFiles.freePort();

	private final String scheme;

	private List<String> prefix = List.of();

	private List<GaleraServer> others = List.of();

	GaleraServer(String driver) {
		super("galera");
		this.scheme = "jdbc:" + driver + "://127.0.0.1:";
	}

	static boolean isInstalled() {
		return Files.exists(PROGRAM) && Files.exists(LIBRARY) && Files.exists(Path.of("/usr/bin/wsrep_sst_rsync"));
	}

	/**
	 * Starts this node again, so that it joins the cluster.
	 * @param others the other nodes
	 */
	void join(List<GaleraServer> others) {
		this.others = others;
		start();
	}

	/**
	 * Starts this node for the first time.
	 * @param others the running nodes, or none if this node creates the cluster
	 */
	void launch(List<GaleraServer> others) {
		this.others = others;
		launch();
	}

	@Override
	public String jdbcUrl() {
		return this.scheme + port() + "/";
	}

	@Override
	void initialise() {
		this.prefix = Unprivileged.prefix(directory(), data());
		try {
			Files.write(directory().resolve("init.sql"), USER);
			Files.createDirectories(data());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		if (this.others.isEmpty()) {
			ServerProcess.run(directory(), Map.of(),
					command("mariadb-install-db", "--no-defaults", "--datadir=" + data(),
							"--auth-root-authentication-method=normal", "--skip-test-db", "--force",
							"--skip-name-resolve"));
		}
	}

	@Override
	List<String> command() {
		List<String> command = command(PROGRAM.toString(), "--no-defaults", "--datadir=" + data(), "--port=" + port(),
				"--bind-address=127.0.0.1", "--socket=" + directory().resolve("s"), "--pid-file=mariadbd.pid",
				"--skip-name-resolve", "--max-connections=500", "--character-set-server=utf8mb4",
				"--innodb-buffer-pool-size=64M", "--innodb-flush-log-at-trx-commit=1", "--binlog-format=ROW",
				"--innodb-autoinc-lock-mode=2", "--wsrep-on=ON", "--wsrep-provider=" + LIBRARY,
				"--wsrep-cluster-name=leaf", "--wsrep-sst-method=rsync",
				"--wsrep-sst-receive-address=127.0.0.1:" + this.copyPort,
				"--wsrep-node-address=127.0.0.1:" + this.groupPort,
				"--wsrep-provider-options=base_port=%1$d;gmcast.listen_addr=tcp://127.0.0.1:%1$d;ist.recv_addr=127.0.0.1:%2$d"
					.formatted(this.groupPort, this.incrementalPort));
		if (this.others.isEmpty()) {
			command.add("--wsrep-new-cluster");
			command.add("--wsrep-cluster-address=gcomm://");
			command.add("--init-file=" + directory().resolve("init.sql"));
		}
		else {
			command.add("--wsrep-cluster-address=gcomm://"
					+ String.join(",", this.others.stream().map((node) -> "127.0.0.1:" + node.groupPort).toList()));
		}
		return command;
	}

	private List<String> command(String... command) {
		List<String> all = new ArrayList<>(this.prefix);
		all.addAll(List.of(command));
		return all;
	}

}
