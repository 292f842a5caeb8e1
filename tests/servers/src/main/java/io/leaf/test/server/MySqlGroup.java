// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * MySQL Group Replication with three members, which fails over by itself. Applications
 * use one primary through HAProxy: the only one, or the first one if all members are
 * primaries.
 */
final class MySqlGroup extends DatabaseCluster {

	private static final Logger logger = LoggerFactory.getLogger(MySqlGroup.class);

	private static final int MEMBERS = 3;

	private static final String START = "START GROUP_REPLICATION USER = 'leaf', PASSWORD = 'leaf'";

	private static final String MEMBER_STATE = "SELECT member_state FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid";

	/**
	 * Finds an applier that hangs: transactions of the tests are applied within
	 * milliseconds.
	 */
	private static final String APPLIER_HANGS = "SELECT 1 FROM performance_schema.replication_applier_status_by_worker WHERE channel_name = 'group_replication_applier' AND applying_transaction <> '' AND applying_transaction_start_apply_timestamp < NOW(6) - INTERVAL 10 SECOND LIMIT 1";

	private static final long JOIN_LIMIT = TimeUnit.SECONDS.toNanos(240);

	private static final long JOIN_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

	private final boolean multiPrimary;

	private final List<MySqlServer> members = new ArrayList<>();

	private final List<Integer> ports = Stream.generate(ServerFiles::freePort).limit(MEMBERS).toList();

	private final Haproxy proxy;

	/**
	 * Starts the group.
	 * @param home the unpacked distribution of MySQL
	 * @param multiPrimary whether all members accept writes, and not only one
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

	/**
	 * Makes the member join the group, and waits until it is online and all members have
	 * applied the change of the group's view. In MySQL 8.0.33, the applier of a member
	 * that also commits transactions of its own clients can wait forever for its turn to
	 * commit this change ({@code Commit_stage_manager::wait_for_ticket_turn}). A member
	 * that recovers from it then waits as well, and {@code STOP GROUP_REPLICATION} on it
	 * does not return. This method kills a member whose applier hangs, and starts it
	 * again.
	 */
	private void join(MySqlServer member) {
		MySqlServer joining = member;
		// the group refuses the member until it has noticed that the member had left
		awaitSuccess(joining, START);
		long begin = System.nanoTime();
		while (!isOnline(member) || !isAppliedByAll(joining)) {
			Optional<MySqlServer> hanging = running().filter((each) -> "1".equals(query(each, APPLIER_HANGS)))
				.findFirst();
			if (hanging.isPresent()) {
				joining = hanging.get();
				logger.warn("The applier of {} hangs. The server is killed and started again", joining);
				joining.kill();
				joining.start();
				awaitSuccess(joining, START);
			}
			if (System.nanoTime() - begin > JOIN_LIMIT) {
				throw new IllegalStateException(
						"%s does not join the group: %s".formatted(joining, query(joining, MEMBER_STATE)));
			}
			LockSupport.parkNanos(JOIN_PAUSE);
		}
	}

	private boolean isAppliedByAll(MySqlServer joining) {
		if (!isOnline(joining)) {
			return false;
		}
		String applied = "SELECT GTID_SUBSET('%s', @@gtid_executed)"
			.formatted(query(joining, "SELECT @@gtid_executed"));
		return running().filter(this::isOnline).allMatch((each) -> "1".equals(query(each, applied)));
	}

	private boolean isOnline(MySqlServer member) {
		return "ONLINE".equals(query(member, MEMBER_STATE));
	}

	private Stream<MySqlServer> running() {
		return this.members.stream().filter(LocalServer::isRunning);
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
			stop(former);
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
			// the former primary reaches no majority, and exits
			former.awaitEnd();
		}
		finally {
			cut.close();
		}
	}

	/**
	 * Drops the messages of Group Replication between a member and the other members.
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

	/**
	 * Makes the member leave the group before it shuts down. On a shutdown alone, MySQL
	 * leaves the group while transactions of its clients are waiting for the group, and
	 * then waits 50 seconds for these transactions.
	 */
	@Override
	public void stop(LocalServer member) {
		member.execute("STOP GROUP_REPLICATION");
		member.stop();
	}

	@Override
	public void rejoin(LocalServer member) {
		member.start();
		// a full disk may have truncated the relay log, whose transactions the group has
		member.execute("RESET REPLICA FOR CHANNEL 'group_replication_applier'");
		join((MySqlServer) member);
	}

	@Override
	public String toString() {
		return "%s, Group Replication, three members, %s".formatted(this.members.get(0).product(),
				this.multiPrimary ? "all of which are primaries; HAProxy" : "one of which is the primary; HAProxy");
	}

}
