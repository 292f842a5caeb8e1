// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/**
 * A MySQL primary and a replica behind HAProxy. HAProxy can be the source of a
 * replication URL of Connector/J. This class does what an operator would do: it promotes
 * the replica, and copies its data to the former primary.
 */
final class MySqlPair extends DatabaseCluster {

	private final boolean semisynchronous;

	private final boolean replicationUrl;

	private final List<MySqlServer> members;

	private final Haproxy proxy;

	/**
	 * Starts the pair.
	 * @param home the unpacked distribution of MySQL
	 * @param semisynchronous whether a commit waits until the replica has received it
	 * @param replicationUrl whether applications use a replication URL, with which they
	 * can also read from replicas
	 */
	MySqlPair(Path home, boolean semisynchronous, boolean replicationUrl) {
		this.semisynchronous = semisynchronous;
		this.replicationUrl = replicationUrl;
		this.members = Stream.of(1, 2)
			.map((id) -> closing(
					new MySqlServer(home, true, "--server-id=" + id, "--gtid-mode=ON", "--enforce-gtid-consistency=ON",
							"--report-host=127.0.0.1", "--plugin-dir=" + home.resolve("lib/plugin"),
							"--plugin-load-add=semisync_source.so", "--plugin-load-add=semisync_replica.so",
							"--plugin-load-add=mysql_clone.so", "--loose-rpl-semi-sync-source-wait-point=AFTER_SYNC",
							"--loose-rpl-semi-sync-source-timeout=4000000000",
							"--loose-rpl-semi-sync-replica-enabled=" + (semisynchronous ? "ON" : "OFF"))))
			.toList();
		this.members.forEach(MySqlServer::launchMember);
		follow(this.members.get(1), this.members.get(0));
		acknowledge(this.members.get(0), semisynchronous);
		this.proxy = closing(new Haproxy(this, this.members));
	}

	private void acknowledge(LocalServer primary, boolean wait) {
		primary.execute("SET GLOBAL rpl_semi_sync_source_enabled = " + (wait ? "ON" : "OFF"));
	}

	private void follow(LocalServer replica, LocalServer primary) {
		replica.execute("SET GLOBAL super_read_only = ON");
		replica.execute(
				"CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = %d, SOURCE_USER = 'leaf', SOURCE_PASSWORD = 'leaf', SOURCE_AUTO_POSITION = 1, SOURCE_CONNECT_RETRY = 1"
					.formatted(primary.port()));
		replica.execute("START REPLICA");
	}

	@Override
	public List<MySqlServer> members() {
		return this.members;
	}

	@Override
	public String jdbcUrl(String database, int application) {
		if (this.replicationUrl) {
			return "jdbc:mysql:replication://127.0.0.1:%d,%s/%s".formatted(this.proxy.port(), addresses(0), database);
		}
		return "jdbc:mysql://127.0.0.1:%d/%s".formatted(this.proxy.port(), database);
	}

	@Override
	boolean isWritable(Statement statement) throws SQLException {
		try (ResultSet row = statement.executeQuery("SELECT @@read_only")) {
			return row.next() && !row.getBoolean(1);
		}
	}

	@Override
	public void stopReplication() {
		others(primary()).get(0).execute("STOP REPLICA IO_THREAD");
	}

	@Override
	public void failOver(LocalServer former) {
		LocalServer next = others(former).get(0);
		next.execute("STOP REPLICA IO_THREAD");
		// the replica first applies what it has received
		next.execute(
				"SELECT WAIT_FOR_EXECUTED_GTID_SET(received_transaction_set, 30) FROM performance_schema.replication_connection_status");
		promote(next);
	}

	private void promote(LocalServer next) {
		next.execute("STOP REPLICA");
		next.execute("RESET REPLICA ALL");
		acknowledge(next, false);
		next.execute("SET GLOBAL super_read_only = OFF");
		// administrators can write before applications can
		executeAtPromotion(next);
		next.execute("SET GLOBAL read_only = OFF");
	}

	@Override
	public void switchOver() {
		LocalServer former = primary();
		LocalServer next = others(former).get(0);
		former.execute("SET GLOBAL super_read_only = ON");
		String executed = query(former, "SELECT @@gtid_executed");
		next.execute("SELECT WAIT_FOR_EXECUTED_GTID_SET('%s', 30)".formatted(executed));
		promote(next);
		acknowledge(former, false);
		follow(former, next);
		acknowledge(next, this.semisynchronous);
	}

	@Override
	public void rejoin(LocalServer member) {
		LocalServer primary = others(member).get(0);
		// commits that wait for the replica would block the clone
		acknowledge(primary, false);
		member.start();
		// the member may have transactions that the new primary never received
		((MySqlServer) member).cloneFrom(primary);
		follow(member, primary);
		acknowledge(primary, this.semisynchronous);
	}

	@Override
	public String toString() {
		return "%s, primary and %s replica, %s".formatted(this.members.get(0).product(),
				this.semisynchronous ? "semi-synchronous" : "asynchronous",
				this.replicationUrl ? "replication URL whose source is HAProxy" : "HAProxy");
	}

}
