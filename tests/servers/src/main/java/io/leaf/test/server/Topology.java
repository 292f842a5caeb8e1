// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

import io.leaf.test.server.PostgresPair.Front;
import org.jspecify.annotations.Nullable;

/**
 * The replicated databases that a test can start.
 */
public enum Topology {

	MYSQL_GROUP(true, "schema-mysql.sql") {
		@Override
		DatabaseCluster create() {
			return new MySqlGroup(mysql(), false);
		}
	},

	MYSQL_GROUP_MULTI_PRIMARY(true, "schema-mysql.sql") {
		@Override
		DatabaseCluster create() {
			return new MySqlGroup(mysql(), true);
		}
	},

	MYSQL_SEMISYNCHRONOUS(true, "schema-mysql.sql") {
		@Override
		DatabaseCluster create() {
			return new MySqlPair(mysql(), true, false);
		}
	},

	MYSQL_REPLICATION_URL(true, "schema-mysql.sql") {
		@Override
		DatabaseCluster create() {
			return new MySqlPair(mysql(), true, true);
		}
	},

	MYSQL_ASYNCHRONOUS(false, "schema-mysql.sql") {
		@Override
		DatabaseCluster create() {
			return new MySqlPair(mysql(), false, false);
		}
	},

	GALERA(true, "schema-mysql.sql") {
		@Override
		DatabaseCluster create() {
			return new GaleraCluster(false);
		}
	},

	GALERA_ALL_WRITE(true, "schema-mysql.sql") {
		@Override
		DatabaseCluster create() {
			return new GaleraCluster(true);
		}
	},

	POSTGRESQL_SYNCHRONOUS(true, "schema-postgresql.sql") {
		@Override
		DatabaseCluster create() {
			return new PostgresPair(postgresql(), true, Front.MEMBERS);
		}
	},

	POSTGRESQL_PGBOUNCER(true, "schema-postgresql.sql") {
		@Override
		DatabaseCluster create() {
			return new PostgresPair(postgresql(), true, Front.PGBOUNCER);
		}
	},

	POSTGRESQL_PGPOOL(true, "schema-postgresql.sql") {
		@Override
		DatabaseCluster create() {
			return new PostgresPair(postgresql(), true, Front.PGPOOL);
		}
	},

	POSTGRESQL_ASYNCHRONOUS(false, "schema-postgresql.sql") {
		@Override
		DatabaseCluster create() {
			return new PostgresPair(postgresql(), false, Front.MEMBERS);
		}
	};

	/** How to install what the topologies need, as commands for Debian and Ubuntu. */
	public static final String INSTALL = MySqlServer.INSTALL
			+ "\n    apt-get install -y --no-install-recommends mariadb-server galera-4 rsync postgresql haproxy pgbouncer pgpool2 nftables\nThe build must use -Pmysql.";

	private final boolean keepsCommits;

	private final String schema;

	Topology(boolean keepsCommits, String schema) {
		this.keepsCommits = keepsCommits;
		this.schema = schema;
	}

	/**
	 * Starts the cluster.
	 * @throws IllegalStateException if something that it needs is not installed
	 */
	public DatabaseCluster start() {
		return create();
	}

	abstract DatabaseCluster create();

	/**
	 * Returns whether the topology never loses a confirmed commit.
	 */
	public boolean keepsCommits() {
		return this.keepsCommits;
	}

	/**
	 * Returns the name of the script that creates the tables.
	 */
	public String schema() {
		return this.schema;
	}

	/**
	 * Returns whether everything that the topologies need is installed.
	 */
	public static boolean isInstalled() {
		return MySqlServers.home() != null && GaleraServer.isInstalled() && Haproxy.isInstalled()
				&& findPostgresql() != null;
	}

	private static Path mysql() {
		return required(MySqlServers.home(), "MySQL");
	}

	private static Path postgresql() {
		return required(findPostgresql(), "PostgreSQL");
	}

	private static Path required(@Nullable Path home, String product) {
		if (home == null) {
			throw new IllegalStateException(product + " is not installed. " + INSTALL);
		}
		return home;
	}

	private static @Nullable Path findPostgresql() {
		Path installations = Path.of("/usr/lib/postgresql");
		if (!Files.isDirectory(installations)) {
			return null;
		}
		try (Stream<Path> versions = Files.list(installations)) {
			return versions.filter((version) -> Files.exists(version.resolve("bin/pg_basebackup")))
				.max(Comparator.naturalOrder())
				.orElse(null);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
