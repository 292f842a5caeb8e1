/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.snowflake.lease.zookeeper;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.snowflake.lease.zookeeper.Requests.Node;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells others that this process is alive, by ephemeral nodes. They vanish with the
 * session, and come back with the next report. Nothing but the comparison of clocks rests
 * on them, so where they cannot be changed, a warning is all that follows.
 */
final class TemporaryNodes {

	private static final Logger log = LoggerFactory.getLogger(ZooKeeperWorkerLeaseStore.class);

	private final TreePaths paths;

	private final NodeLabel label;

	private final Set<Long> announced = new HashSet<>();

	TemporaryNodes(TreePaths paths, NodeLabel label) {
		this.paths = paths;
		this.label = label;
	}

	/**
	 * Sees to it that there is a node for a worker ID whose lease is ours.
	 * @param content what it holds if it has to be created
	 */
	void announce(Requests requests, long workerId, ForeverPayload content) {
		boolean first = this.announced.add(workerId);
		String path = this.paths.temporary(this.label, workerId);
		quietly(path, () -> {
			if (first && create(requests, path, content)) {
				return;
			}
			Optional<Node> node = requests.await(requests.node(path));
			if (node.isEmpty()) {
				create(requests, path, content);
			}
			else if (node.get().stat().getEphemeralOwner() != requests.sessionId()) {
				// of an earlier session, with which it would vanish
				requests.await(requests.transaction(requests.delete(path, node.get().stat().getVersion()),
						requests.create(path, CreateMode.EPHEMERAL, content.toBytes())));
			}
		});
	}

	// without looking first: at the start of a process there is hardly ever one
	private static boolean create(Requests requests, String path, ForeverPayload content) throws KeeperException {
		try {
			requests.await(requests.transaction(requests.create(path, CreateMode.EPHEMERAL, content.toBytes())));
			return true;
		}
		catch (KeeperException.NodeExistsException ex) {
			return false;
		}
	}

	/**
	 * Removes the node for a worker ID, if there is one of this session.
	 */
	void withdraw(Requests requests, long workerId) {
		if (!this.announced.remove(workerId)) {
			return;
		}
		String path = this.paths.temporary(this.label, workerId);
		quietly(path, () -> {
			Optional<Node> node = requests.await(requests.node(path));
			if (node.isPresent() && node.get().stat().getEphemeralOwner() == requests.sessionId()) {
				requests.await(requests.transaction(requests.delete(path, node.get().stat().getVersion())));
			}
		});
	}

	/**
	 * Removes the nodes of this session.
	 */
	void withdrawAll(Requests requests) {
		List.copyOf(this.announced).forEach((workerId) -> withdraw(requests, workerId));
	}

	private static void quietly(String path, Change change) {
		try {
			change.apply();
		}
		catch (KeeperException | WorkerLeaseStoreException ex) {
			log.warn("ZooKeeper node {} cannot be kept up to date: {}", path, ex.getMessage());
		}
	}

	private interface Change {

		void apply() throws KeeperException;

	}

}
