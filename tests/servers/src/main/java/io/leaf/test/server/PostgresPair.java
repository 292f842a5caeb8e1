// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL primary and a standby, with the {@link Front} that applications connect
 * to. This class does what an operator would do: it promotes the standby, and copies its
 * data to the former primary.
 */
final class PostgresPair extends DatabaseCluster {

	private final boolean synchronous;

	private final List<PostgresServer> members;

	private final Front front;

	private final @Nullable Pgpool pgpool;

	private final int port;

	/**
	 * Starts the pair.
	 * @param home the directory of the PostgreSQL installation
	 * @param synchronous whether a commit waits until the standby has received it
	 * @param front what applications connect to
	 */
	PostgresPair(Path home, boolean synchronous, Front front) {
		this.synchronous = synchronous;
		this.members = List.of(closing(new PostgresServer(home)), closing(new PostgresServer(home)));
		this.members.get(0).launch();
		this.members.get(1).launchStandby(this.members.get(0));
		waitForStandby(this.members.get(0));
		this.front = front;
		this.pgpool = (front == Front.PGPOOL) ? closing(new Pgpool(this.members)) : null;
		this.port = switch (front) {
			case MEMBERS -> 0;
			case PGBOUNCER ->
				closing(new Pgbouncer(closing(new Haproxy(this, this.members)).port(), username(), password())).port();
			case PGPOOL -> Objects.requireNonNull(this.pgpool).port();
		};
	}

	private void waitForStandby(LocalServer primary) {
		await(primary, "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'", "1");
		setSynchronous(primary, this.synchronous);
	}

	private static void setSynchronous(LocalServer primary, boolean synchronous) {
		primary.execute("ALTER SYSTEM SET synchronous_standby_names = '%s'".formatted(synchronous ? "*" : ""));
		primary.execute("SELECT pg_reload_conf()");
	}

	@Override
	public List<PostgresServer> members() {
		return this.members;
	}

	@Override
	public String jdbcUrl(String database, int application) {
		return switch (this.front) {
			case MEMBERS -> "jdbc:postgresql://%s/%s?targetServerType=primary".formatted(addresses(0), database);
			// consecutive statements may run in different sessions
			case PGBOUNCER -> "jdbc:postgresql://127.0.0.1:%d/%s?prepareThreshold=0".formatted(this.port, database);
			case PGPOOL -> "jdbc:postgresql://127.0.0.1:%d/%s".formatted(this.port, database);
		};
	}

	@Override
	public String createDatabase(String name) {
		String database = super.createDatabase(name);
		// a commit waits until the standby has received it, not until queries on the
		// standby see it
		for (LocalServer member : this.members) {
			await(member, "SELECT count(*) FROM pg_database WHERE datname = '%s'".formatted(database), "1");
		}
		return database;
	}

	@Override
	boolean isWritable(Statement statement) throws SQLException {
		try (ResultSet row = statement.executeQuery(
				"SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off'")) {
			return row.next() && row.getBoolean(1);
		}
	}

	@Override
	public void stopReplication() {
		LocalServer standby = others(primary()).get(0);
		standby.execute("ALTER SYSTEM SET primary_conninfo = ''");
		standby.execute("SELECT pg_reload_conf()");
		await(primary(), "SELECT count(*) FROM pg_stat_replication", "0");
	}

	@Override
	public void failOver(LocalServer former) {
		if (this.pgpool != null) {
			// Pgpool-II would not choose between two primaries
			this.pgpool.detach(former);
		}
		promote(others(former).get(0));
	}

	private void promote(LocalServer standby) {
		// sessions are read-only by default; an administrator can override this
		standby.execute("ALTER SYSTEM SET default_transaction_read_only = on");
		standby.execute("SELECT pg_reload_conf()");
		standby.execute("SELECT pg_promote()");
		executeAtPromotion(standby, "SET default_transaction_read_only = off");
		standby.execute("ALTER SYSTEM RESET default_transaction_read_only");
		standby.execute("SELECT pg_reload_conf()");
		// there is no standby that a commit could wait for
		setSynchronous(standby, false);
	}

	@Override
	public void switchOver() {
		LocalServer former = primary();
		// gracefully, so that the standby receives all transactions
		former.stop();
		failOver(former);
		rejoin(former);
	}

	@Override
	public void rejoin(LocalServer member) {
		PostgresServer primary = (PostgresServer) others(member).get(0);
		if (this.pgpool != null) {
			// a standby that was stopped is still attached
			this.pgpool.detach(member);
		}
		((PostgresServer) member).follow(primary);
		member.start();
		waitForStandby(primary);
		if (this.pgpool != null) {
			this.pgpool.attach(member);
		}
	}

	@Override
	public String toString() {
		return "%s, primary and %s standby, %s".formatted(this.members.get(0).product(),
				this.synchronous ? "synchronous" : "asynchronous", this.front);
	}

	/**
	 * What applications connect to.
	 */
	enum Front {

		MEMBERS("URL with targetServerType=primary"), PGBOUNCER("PgBouncer in transaction mode, HAProxy"),
		PGPOOL("Pgpool-II that splits reads from writes");

		private final String description;

		Front(String description) {
			this.description = description;
		}

		@Override
		public String toString() {
			return this.description;
		}

	}

}
