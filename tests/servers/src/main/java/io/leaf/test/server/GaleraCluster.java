// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A MariaDB Galera cluster of three nodes, all of which accept writes. Applications use a
 * URL with all nodes, and the driver uses the first node that answers. The cluster fails
 * over by itself. By default, if all nodes have failed, the driver tries only the node
 * that failed first for one minute; parameters of the URL change that.
 */
final class GaleraCluster extends DatabaseCluster {

	private static final String STATE = "SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'wsrep_local_state_comment'";

	private final List<GaleraServer> nodes = new ArrayList<>();

	private final boolean allWrite;

	/**
	 * Starts the cluster.
	 * @param allWrite whether applications prefer different nodes
	 */
	GaleraCluster(boolean allWrite) {
		this.allWrite = allWrite;
		for (int i = 0; i < 3; i++) {
			GaleraServer node = closing(new GaleraServer("mariadb"));
			node.launch(List.copyOf(this.nodes));
			await(node, STATE, "Synced");
			this.nodes.add(node);
		}
	}

	@Override
	public List<GaleraServer> members() {
		return this.nodes;
	}

	@Override
	public String jdbcUrl(String database, int application) {
		return "jdbc:mariadb:sequential://%s/%s?retriesAllDown=3&deniedListTimeout=1000"
			.formatted(addresses(this.allWrite ? application : 0), database);
	}

	@Override
	boolean isWritable(Statement statement) throws SQLException {
		try (ResultSet row = statement.executeQuery(
				"SELECT 1 FROM information_schema.global_status WHERE variable_name = 'wsrep_ready' AND variable_value = 'ON'")) {
			return row.next();
		}
	}

	@Override
	public void failOver(LocalServer former) {
		awaitPrimary(others(former));
	}

	@Override
	public void partition() {
		LocalServer former = primary();
		former.execute("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'");
		failOver(former);
		await(former, "SELECT variable_value FROM information_schema.global_status WHERE variable_name = 'wsrep_ready'",
				"OFF");
		former.execute("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'");
		await(former, STATE, "Synced");
	}

	@Override
	public void switchOver() {
		LocalServer former = primary();
		former.stop();
		rejoin(former);
	}

	@Override
	public void rejoin(LocalServer member) {
		List<GaleraServer> others = this.nodes.stream().filter((node) -> node != member).toList();
		((GaleraServer) member).join(others);
		await(member, STATE, "Synced");
	}

	@Override
	public String toString() {
		return "%s, Galera, three nodes, a URL with all of them, in %s".formatted(this.nodes.get(0).product(),
				this.allWrite ? "different orders" : "one order");
	}

}
