// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.time.Duration;

import io.leaf.it.faults.ClusterFaultsIT.Step;
import io.leaf.test.server.DatabaseCluster;
import io.leaf.test.server.LocalServer;
import io.leaf.test.server.Topology;

/**
 * The faults of a replicated database.
 */
enum ClusterFault {

	PRIMARY_KILLED("primary killed") {
		@Override
		void inject(DatabaseCluster cluster, Step pause) throws Exception {
			LocalServer primary = cluster.primary();
			primary.kill();
			cluster.failOver(primary);
		}
	},

	PRIMARY_FROZEN("primary frozen, then resumed") {
		@Override
		void inject(DatabaseCluster cluster, Step pause) throws Exception {
			LocalServer primary = cluster.primary();
			primary.pause();
			cluster.failOver(primary);
			pause.run();
			primary.resume();
			pause.run();
			primary.kill();
		}
	},

	LAGGING_REPLICA_PROMOTED("primary killed, lagging replica promoted") {
		@Override
		boolean appliesTo(Topology topology) {
			return !topology.keepsCommits();
		}

		@Override
		void inject(DatabaseCluster cluster, Step pause) throws Exception {
			LocalServer primary = cluster.primary();
			cluster.stopReplication();
			pause.run();
			primary.kill();
			cluster.failOver(primary);
		}
	},

	LAGGING_REPLICA_PROMOTED_AND_COUNTERS_RAISED("the same, and all counters raised before applications connect") {
		@Override
		boolean appliesTo(Topology topology) {
			return false;
		}

		@Override
		void prepare(DatabaseCluster cluster, String database) {
			cluster.executeAtPromotion(database, "UPDATE leaf_alloc SET max_id = max_id + 10000000");
		}

		@Override
		void inject(DatabaseCluster cluster, Step pause) throws Exception {
			LAGGING_REPLICA_PROMOTED.inject(cluster, pause);
		}
	},

	PARTITION("primary cut off from the others; another server takes writes before it is stopped or rejoins") {
		@Override
		void inject(DatabaseCluster cluster, Step pause) {
			cluster.partition();
		}
	},

	DISK_FULL("disk of the primary full, primary killed after 10 seconds") {
		@Override
		void prepare(DatabaseCluster cluster, String database) {
			LocalServer member = cluster.members().get(0);
			if (member == cluster.primary()) {
				cluster.switchOver();
			}
			cluster.stop(member);
			member.moveToSmallDisk();
			cluster.rejoin(member);
			if (member != cluster.primary()) {
				cluster.switchOver();
			}
		}

		@Override
		void inject(DatabaseCluster cluster, Step pause) throws Exception {
			LocalServer primary = cluster.primary();
			primary.fillDisk();
			// the time that an operator needs to react
			FaultRunner.hold(Duration.ofSeconds(10));
			primary.kill();
			cluster.failOver(primary);
			primary.leaveSmallDisk();
		}
	},

	SWITCHOVER("planned switchover") {
		@Override
		void inject(DatabaseCluster cluster, Step pause) {
			cluster.switchOver();
		}
	},

	ROLLING_RESTART("rolling restart") {
		@Override
		void inject(DatabaseCluster cluster, Step pause) throws Exception {
			for (LocalServer member : cluster.members()) {
				if (member == cluster.primary()) {
					cluster.switchOver();
				}
				cluster.stop(member);
				cluster.rejoin(member);
				pause.run();
			}
		}
	};

	private final String description;

	ClusterFault(String description) {
		this.description = description;
	}

	/**
	 * Prepares the cluster for the fault.
	 * @param database the name of the database
	 */
	void prepare(DatabaseCluster cluster, String database) {
	}

	/**
	 * Returns whether the fault is part of the normal run of a topology.
	 */
	boolean appliesTo(Topology topology) {
		return true;
	}

	/**
	 * Injects the fault, and ends it. A server that was killed stays down: its return is
	 * measured separately.
	 * @param pause waits until all applications have got something new from the cluster
	 */
	abstract void inject(DatabaseCluster cluster, Step pause) throws Exception;

	@Override
	public String toString() {
		return this.description;
	}

}
