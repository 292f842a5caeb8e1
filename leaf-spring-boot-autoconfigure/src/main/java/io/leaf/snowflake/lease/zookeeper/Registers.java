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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.zookeeper.Requests.Node;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.SetDataResult;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the nodes below {@code leases}. Each write is one compare-and-set: it
 * names the data version of the node that was found to hold the version to replace. Only
 * in a new session does that take a read before.
 * <p>
 * What is read of {@code forever} only adds worker IDs that no process may claim: those
 * of deployed Leaf servers, and those whose register was deleted.
 */
final class Registers {

	private static final Pattern LEASE_NAME = Pattern.compile("[1-9]\\d{0,17}");

	private static final int NAMES_TOLD = 5;

	private final TreePaths paths;

	private final WorkerIds workerIds;

	private final Oddities oddities = new Oddities();

	private final Map<Long, Known> known = new HashMap<>();

	private long maxWorkerId;

	Registers(TreePaths paths, WorkerIds workerIds) {
		this.paths = paths;
		this.workerIds = workerIds;
	}

	void maxWorkerId(long maxWorkerId) {
		this.maxWorkerId = maxWorkerId;
	}

	long maxWorkerId() {
		return this.maxWorkerId;
	}

	/**
	 * Reads all registers, in ascending order of the worker ID, and the worker IDs of
	 * deployed Leaf servers among them. Writes of a moment ago may be missing.
	 */
	List<LeaseRegister> readAll(Requests requests) throws KeeperException {
		// in this order: a register is created after its node below "forever"
		List<OpResult> lists = requests.read(List.of(requests.children(this.paths.leases()),
				requests.children(this.paths.forever()), requests.data(this.paths.forever())));
		TreeSet<Long> leased = leased(Requests.names(lists.get(0)));
		Map<Long, List<ForeverNode>> forever = foreverNodes(Requests.names(lists.get(1)));
		long nextNumber = nextNumber(Requests.node(lists.get(2)));

		List<ForeverNode> unleased = forever.values()
			.stream()
			.flatMap(List::stream)
			.filter((node) -> !leased.contains(node.number()))
			.toList();
		List<Op> reads = new ArrayList<>();
		leased.forEach((workerId) -> reads.add(requests.data(this.paths.lease(workerId))));
		for (ForeverNode node : unleased) {
			// in this order: a register that was created meanwhile is there if the node
			// is marked as used
			reads.add(requests.data(this.paths.forever(node.name())));
			reads.add(requests.data(this.paths.lease(node.number())));
		}
		List<OpResult> results = requests.read(reads);

		Map<Long, LeaseRegister> registers = new TreeMap<>();
		int index = 0;
		for (long workerId : leased) {
			Node node = Requests.node(results.get(index++));
			if (node != null) {
				LeaseRegister register = register(workerId, node,
						blockedBy(workerId, forever.getOrDefault(workerId, List.of()), nextNumber));
				registers.put(workerId, register);
				if (register.blockedBy() == null) {
					this.known.put(workerId,
							new Known(register.version(), node.stat().getVersion(), requests.sessionId()));
				}
			}
		}
		List<ForeverNode> unused = new ArrayList<>();
		for (ForeverNode name : unleased) {
			Node node = Requests.node(results.get(index++));
			Node lease = Requests.node(results.get(index++));
			if (node == null) {
				continue;
			}
			if (!name.isOurs()) {
				registers.put(name.number(), ofLeafServer(name, node));
			}
			else if (lease != null) {
				registers.putIfAbsent(name.number(),
						register(name.number(), lease, blockedBy(name.number(), List.of(name), nextNumber)));
			}
			else if (node.stat().getVersion() > 0) {
				registers.putIfAbsent(name.number(), blocked(name.number(),
						"Node %s was deleted. %s".formatted(this.paths.lease(name.number()), remedy(name.number()))));
			}
			else if (name.number() >= WorkerIds.FIRST) {
				unused.add(name);
			}
		}
		this.workerIds.seen(nextNumber, unused);
		return List.copyOf(registers.values());
	}

	private TreeSet<Long> leased(List<String> names) {
		TreeSet<Long> workerIds = new TreeSet<>();
		for (String name : names) {
			if (LEASE_NAME.matcher(name).matches() && Long.parseLong(name) <= this.maxWorkerId) {
				workerIds.add(Long.parseLong(name));
			}
			else {
				this.oddities.warn(this.paths.leases() + "/" + name,
						"is ignored, as its name is not a worker ID from %d to %d".formatted(WorkerIds.FIRST,
								this.maxWorkerId));
			}
		}
		return workerIds;
	}

	private Map<Long, List<ForeverNode>> foreverNodes(List<String> names) {
		List<ForeverNode> nodes = new ArrayList<>();
		for (String name : names) {
			ForeverNode node = ForeverNode.of(name);
			if (node == null) {
				this.oddities.warn(this.paths.forever(name),
						"is ignored, as its name is not a label, a dash and a number. A deployed Leaf server does not start beside it: delete it");
			}
			else if (node.number() <= this.maxWorkerId) {
				nodes.add(node);
			}
		}
		return nodes.stream().collect(Collectors.groupingBy(ForeverNode::number, TreeMap::new, Collectors.toList()));
	}

	// ZooKeeper numbers the nodes by the creations below their parent, and "cversion" is
	// the number of creations and deletions.
	private static long nextNumber(@Nullable Node forever) {
		return (forever != null) ? ((long) forever.stat().getCversion() + forever.stat().getNumChildren()) / 2 : 0;
	}

	private @Nullable String blockedBy(long workerId, List<ForeverNode> nodes, long nextNumber) {
		if (nodes.isEmpty() && workerId >= nextNumber) {
			return "Node %s was deleted and counts from 0 again. It may give number %d to a Leaf server next"
				.formatted(this.paths.forever(), workerId);
		}
		List<String> others = nodes.stream().filter((node) -> !node.isOurs()).map(ForeverNode::name).toList();
		return others.isEmpty() ? null
				: "Worker ID %d may be used by a server of Meituan's Leaf, too: %s below %s. Once that server is gone for good, delete its node"
					.formatted(workerId, others.stream().limit(NAMES_TOLD).collect(Collectors.joining(", ")),
							this.paths.forever());
	}

	private LeaseRegister register(long workerId, Node node, @Nullable String blockedBy) {
		try {
			return new LeaseRegister(workerId, RegisterJson.read(node.content()), node.stat().getMtime(), blockedBy);
		}
		catch (IllegalArgumentException ex) {
			this.oddities.warn(this.paths.lease(workerId),
					"cannot be read (" + ex.getMessage() + "). No process will claim it");
			return blocked(workerId, "Node %s cannot be read: %s. %s".formatted(this.paths.lease(workerId),
					ex.getMessage(), remedy(workerId)));
		}
	}

	private static String remedy(long workerId) {
		return "Once no process uses worker ID %d, write {\"owner\":\"\",\"horizon\":H} into it, where H is the time a minute later, in milliseconds since 1970"
			.formatted(workerId);
	}

	private static LeaseRegister blocked(long workerId, String reason) {
		WorkerLease lease = new WorkerLease("unreadable", WorkerLease.MAX_TIME, "", 0, 0, Long.MAX_VALUE);
		return new LeaseRegister(workerId, lease, null, reason);
	}

	private LeaseRegister ofLeafServer(ForeverNode name, Node node) {
		Long reported = RegisterJson.timestamp(node.content());
		WorkerLease lease = new WorkerLease("Leaf server", WorkerLease.MAX_TIME, name.label(), 0,
				(reported != null) ? reported : 0, Long.MAX_VALUE);
		return new LeaseRegister(name.number(), lease, (reported != null) ? node.stat().getMtime() : null,
				"servers of Meituan's Leaf, as the nodes below %s say".formatted(this.paths.forever()));
	}

	/**
	 * Reads a register as the latest write left it.
	 * @return the register, or {@code null} if there is none
	 */
	@Nullable LeaseRegister read(Requests requests, long workerId) throws KeeperException {
		CompletableFuture<Boolean> sync = requests.sync(this.paths.root());
		CompletableFuture<Optional<Node>> answer = requests.node(this.paths.lease(workerId));
		requests.await(sync);
		Node node = requests.await(answer).orElse(null);
		return (node != null) ? register(workerId, node, null) : null;
	}

	/**
	 * Creates a register.
	 * @return whether the worker ID had been offered, and no process had used it yet
	 */
	boolean create(Requests requests, long workerId, WorkerLease lease) throws KeeperException {
		ForeverNode offered = this.workerIds.offered(workerId);
		if (offered == null) {
			return false;
		}
		String forever = this.paths.forever(offered.name());
		Op use = requests.setData(forever, 0, this.workerIds.content(lease.reported()));
		Op create = requests.create(this.paths.lease(workerId), CreateMode.PERSISTENT, RegisterJson.write(lease));
		boolean created = true;
		try {
			requests.await(requests.transaction(use, create));
			this.known.put(workerId, new Known(lease.version(), 0, requests.sessionId()));
		}
		catch (KeeperException ex) {
			LeaseRegister found = isConflict(ex) ? read(requests, workerId) : null;
			created = found != null && found.version() == lease.version();
			// a node above the two may be missing, too: then the number is still ours
			if (!isConflict(ex) || (found == null && isUnused(requests, forever))) {
				throw ex;
			}
		}
		this.workerIds.used();
		return created;
	}

	private static boolean isUnused(Requests requests, String forever) throws KeeperException {
		Node node = requests.await(requests.node(forever)).orElse(null);
		return node != null && node.stat().getVersion() == 0;
	}

	/**
	 * Writes a register that was read.
	 * @return whether it had the version given
	 */
	boolean update(Requests requests, long workerId, long version, WorkerLease lease) throws KeeperException {
		String path = this.paths.lease(workerId);
		Known known = this.known.remove(workerId);
		if (known == null || known.version() != version || known.session() != requests.sessionId()) {
			Node node = requests.await(requests.node(path)).orElse(null);
			LeaseRegister found = (node != null) ? register(workerId, node, null) : null;
			if (node == null || found == null || found.blockedBy() != null || found.version() != version) {
				return found != null && found.version() == lease.version();
			}
			known = new Known(version, node.stat().getVersion(), requests.sessionId());
		}
		try {
			SetDataResult written = (SetDataResult) requests
				.await(requests.transaction(requests.setData(path, known.dataVersion(), RegisterJson.write(lease))))
				.get(0);
			this.known.put(workerId, new Known(lease.version(), written.getStat().getVersion(), requests.sessionId()));
			return true;
		}
		catch (KeeperException ex) {
			if (!isConflict(ex)) {
				throw ex;
			}
			return false;
		}
	}

	private static boolean isConflict(KeeperException failure) {
		return switch (failure.code()) {
			case BADVERSION, NONODE, NODEEXISTS -> true;
			default -> false;
		};
	}

	/**
	 * The node of a register as it was seen last.
	 *
	 * @param version the version of the register
	 * @param dataVersion the data version of its node
	 * @param session the session that has seen it. ZooKeeper never shows a session an
	 * earlier state than it has seen, so within the session this data version stands for
	 * this content alone
	 */
	private record Known(long version, int dataVersion, long session) {

	}

}
