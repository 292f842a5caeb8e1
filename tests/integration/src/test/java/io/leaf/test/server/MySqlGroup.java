// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * MySQL Group Replication with three members. It fails over by itself. Applications use
 * one primary, the only one or the first of all, through HAProxy.
 */
final class MySqlGroup extends DatabaseCluster {

	private static final int MEMBERS = 3;

	private static final String START = "START GROUP_REPLICATION USER = 'leaf', PASSWORD = 'leaf'";

	private static final String MEMBER_STATE = "SELECT member_state FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid";

	private final boolean multiPrimary;

	private final List<MySqlServer> members = new ArrayList<>();

	private final List<Integer> ports = Stream.generate(ServerFiles::freePort).limit(MEMBERS).toList();

	private final Haproxy proxy;

	/**
	 * Starts the group.
	 * @param home the unpacked distribution of MySQL
	 * @param multiPrimary whether all members take writes, and not one
	 */
	MySqlGroup(Path home, boolean multiPrimary) {
		this.multiPrimary = multiPrimary;
		String seeds = this.ports.stream().map((port) -> "127.0.0.1:" + port).collect(Collectors.joining(","));
		String name = UUID.randomUUID().toString();
		for (int i = 0; i < MEMBERS; i++) {
			this.members.add(closing(new MySqlServer(home, true, "--server-id=" + (i + 1), "--gtid-mode=ON",
					"--enforce-gtid-consistency=ON", "--report-host=127.0.0.1", "--performance-schema=ON",
					"--plugin-dir=" + home.resolve("lib/plugin"), "--plugin-load-add=group_replication.so",
					"--loose-group-replication-group-name=" + name, "--loose-group-replication-start-on-boot=OFF",
					"--loose-group-replication-local-address=127.0.0.1:" + this.ports.get(i),
					"--loose-group-replication-group-seeds=" + seeds,
					"--loose-group-replication-member-expel-timeout=0",
					"--loose-group-replication-unreachable-majority-timeout=5",
					"--loose-group-replication-autorejoin-tries=0",
					"--loose-group-replication-exit-state-action=ABORT_SERVER",
					"--loose-group-replication-recovery-reconnect-interval=1",
					"--loose-group-replication-single-primary-mode=" + (multiPrimary ? "OFF" : "ON"),
					"--loose-group-replication-enforce-update-everywhere-checks=" + (multiPrimary ? "ON" : "OFF"))));
		}
		this.members.forEach(MySqlServer::launchMember);
		this.members.get(0).execute("SET GLOBAL group_replication_bootstrap_group = ON");
		this.members.get(0).execute(START);
		this.members.get(0).execute("SET GLOBAL group_replication_bootstrap_group = OFF");
		for (MySqlServer member : this.members.subList(1, MEMBERS)) {
			join(member);
		}
		this.proxy = closing(new Haproxy(this, this.members));
	}

	private void join(MySqlServer member) {
		// refused until the group has noticed that the member has left
		awaitSuccess(member, START);
		await(member, MEMBER_STATE, "ONLINE");
	}

	@Override
	public List<MySqlServer> members() {
		return this.members;
	}

	@Override
	public String jdbcUrl(String database, int application) {
		return "jdbc:mysql://127.0.0.1:%d/%s".formatted(this.proxy.port(), database);
	}

	@Override
	boolean isWritable(Statement statement) throws SQLException {
		try (ResultSet row = statement.executeQuery(
				"SELECT 1 FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid AND member_state = 'ONLINE' AND member_role = 'PRIMARY' AND NOT @@super_read_only AND (SELECT SUM(member_state <> 'UNREACHABLE') * 2 > COUNT(*) FROM performance_schema.replication_group_members)")) {
			return row.next();
		}
	}

	@Override
	public void failOver(LocalServer former) {
		awaitPrimary(others(former));
	}

	@Override
	public void switchOver() {
		LocalServer former = primary();
		if (this.multiPrimary) {
			former.stop();
			rejoin(former);
		}
		else {
			others(former).get(0).execute("SELECT group_replication_set_as_primary(@@server_uuid)");
		}
	}

	@Override
	public void partition() {
		MySqlServer former = (MySqlServer) primary();
		SystemChange cut = cutOff(former);
		try {
			failOver(former);
			// it reaches no majority, and gives up
			former.awaitEnd();
		}
		finally {
			cut.close();
		}
	}

	/**
	 * Drops the messages of Group Replication between a member and the others.
	 */
	private SystemChange cutOff(MySqlServer member) {
		List<Integer> others = new ArrayList<>(this.ports);
		Integer port = others.remove(this.members.indexOf(member));
		try {
			return SystemChange.make(List.of(), "nft \"$1\"", "nft delete table inet leaf", """
					table inet leaf {
					  chain output {
					    type filter hook output priority 0
					    meta skgid %1$d tcp dport { %2$d, %3$d } drop
					    meta skgid != %1$d tcp dport %4$d drop
					  }
					}
					""".formatted(member.port(), others.get(0), others.get(1), port));
		}
		catch (IOException ex) {
			throw new IllegalStateException("A network partition needs root and nftables:\n    " + Topology.INSTALL,
					ex);
		}
	}

	@Override
	public void rejoin(LocalServer member) {
		member.start();
		join((MySqlServer) member);
	}

	@Override
	public String toString() {
		return "%s, Group Replication, three members, %s".formatted(this.members.get(0).product(),
				this.multiPrimary ? "all of which are primaries; HAProxy" : "one of which is the primary; HAProxy");
	}

}
