// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult.CreateResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Obtains worker IDs that have no lease record: the numbers of new nodes below {@code
 * forever}. Unless {@code forever} is deleted, ZooKeeper never assigns a number twice.
 * Deployed Leaf servers get their numbers from the same counter.
 * <p>
 * A node and its lease record cannot be created in one request, because the number is
 * known only after the node has been created. So a node is created with data version 0,
 * and the transaction that creates its lease record also moves the node to data version
 * 1. A node of this library with data version 0 has therefore never been used, and any
 * process may use it. A process uses a node that another process created only when the
 * layout has no number left, because in most cases the creator is about to use the node.
 * <p>
 * Number 0 is never used. The first deployed Leaf server on an empty tree assumes that it
 * has number 0, whatever number ZooKeeper has assigned to its node.
 */
final class WorkerIds {

	static final long FIRST = 1;

	private static final Logger logger = LoggerFactory.getLogger(ZooKeeperWorkerLeaseStore.class);

	private final String folder;

	private final String label;

	private final String ip;

	private final String port;

	private final List<ForeverNode> unused = new ArrayList<>();

	private long nextNumber;

	private @Nullable ForeverNode offered;

	private boolean endReported;

	WorkerIds(String folder, String ip, String port) {
		this.folder = folder;
		this.label = ForeverNode.label(ip, port);
		this.ip = ip;
		this.port = port;
	}

	/**
	 * Records what a listing of {@code forever} has shown.
	 * @param nextNumber the smallest number that the next node can get
	 * @param unused the nodes of this library that have never been used
	 */
	void seen(long nextNumber, Collection<ForeverNode> unused) {
		this.nextNumber = nextNumber;
		this.unused.clear();
		this.unused.addAll(unused);
		// so that processes that need a worker ID at the same time seldom choose the same
		// node
		Collections.shuffle(this.unused);
	}

	/**
	 * Returns a worker ID that has no lease record, for which a node is created if
	 * necessary.
	 * @param max the largest worker ID of the layout
	 * @param except worker IDs that the process cannot use. ZooKeeper can assign the
	 * number of one of them if {@code forever} was deleted, because the numbers then
	 * start again from 0
	 * @return the worker ID, or empty if there is none left
	 */
	OptionalLong next(ZooKeeperRequests requests, long max, Set<Long> except) throws KeeperException {
		if (this.offered != null && except.contains(this.offered.number())) {
			this.unused.add(this.offered);
			this.offered = null;
		}
		while (this.offered == null && this.nextNumber <= max) {
			ForeverNode created = create(requests);
			this.nextNumber = created.number() + 1;
			if (created.number() < FIRST || created.number() > max) {
				delete(requests, created);
			}
			else if (except.contains(created.number())) {
				this.unused.add(created);
			}
			else {
				this.offered = created;
			}
		}
		if (this.offered == null) {
			reportEnd(max);
			this.unused.stream().filter((node) -> !except.contains(node.number())).findFirst().ifPresent((node) -> {
				this.unused.remove(node);
				this.offered = node;
			});
		}
		return (this.offered != null) ? OptionalLong.of(this.offered.number()) : OptionalLong.empty();
	}

	private void reportEnd(long max) {
		if (!this.endReported) {
			this.endReported = true;
			logger.warn(
					"ZooKeeper node {} assigns number {} or a higher one next, but the layout's highest worker ID is {}: no new worker ID can be created, only free worker IDs can be claimed. If there are too few of them, choose another leaf.name, with a layout that has more leaf.snowflake.layout.worker-bits. Deleting nodes does not lower ZooKeeper's counter",
					this.folder, this.nextNumber, max);
		}
	}

	private ForeverNode create(ZooKeeperRequests requests) throws KeeperException {
		Op create = requests.create("%s/%s-".formatted(this.folder, this.label), CreateMode.PERSISTENT_SEQUENTIAL,
				content(0));
		String path = ((CreateResult) requests.write(create).get(0)).getPath();
		String name = path.substring(path.lastIndexOf('/') + 1);
		return new ForeverNode(name, this.label, Long.parseLong(name.substring(name.lastIndexOf('-') + 1)));
	}

	private void delete(ZooKeeperRequests requests, ForeverNode node) throws KeeperException {
		try {
			requests.write(requests.delete(this.folder + "/" + node.name(), 0));
		}
		catch (KeeperException ex) {
			if (ex.code() != Code.NONODE) {
				throw ex;
			}
			logger.debug("{} has been deleted already", node.name(), ex);
		}
	}

	/**
	 * Returns the node of a worker ID if {@link #next} has returned that worker ID last
	 * and it has not been used since, otherwise {@code null}.
	 */
	@Nullable ForeverNode offered(long workerId) {
		ForeverNode node = this.offered;
		return (node != null && node.number() == workerId) ? node : null;
	}

	/**
	 * Returns the content of a node below {@code forever}.
	 * @param timestamp when the lease record of the node is created, in milliseconds
	 * since 1970-01-01T00:00:00Z; 0 if it is not created yet
	 */
	byte[] content(long timestamp) {
		return LeaseRecordJson.writeForever(this.ip, this.port, timestamp);
	}

	void used() {
		this.offered = null;
	}

	/**
	 * A node below {@code forever}: one of this library, or one of a deployed Leaf
	 * server.
	 *
	 * @param name the name of the node
	 * @param label the part of the name before the dash
	 * @param number the part of the name after the dash, which is the worker ID
	 */
	record ForeverNode(String name, String label, long number) {

		// deployed Leaf servers understand no other names
		private static final Pattern NAME = Pattern.compile("([^-]*)-(\\d{1,10})");

		/**
		 * The end of each label of this library. A deployed Leaf server claims only a
		 * node whose label is its own {@code ip:port}. Such a label ends with a number,
		 * so it is never a label of this library.
		 */
		private static final String MARK = ".s";

		/**
		 * Returns the label of a process. Characters that a deployed Leaf server may not
		 * be able to process are replaced with an underscore. Above all, the label
		 * contains no dash: such a server splits the names of all nodes at each dash, and
		 * a second dash in a name would keep it from starting.
		 * @param host the address or the name of the host of the process, any text
		 * @param port distinguishes the process from others on its host
		 */
		static String label(String host, String port) {
			// the zone of an IPv6 address is valid only on its own host
			int zone = host.indexOf('%');
			String address = (zone >= 0) ? host.substring(0, zone) : host;
			return (address + ":" + port).replaceAll("[^A-Za-z0-9.:_]", "_") + MARK;
		}

		/**
		 * Parses the name of a node. Returns {@code null} if neither this library nor a
		 * deployed Leaf server gives nodes such a name.
		 */
		static @Nullable ForeverNode of(String name) {
			Matcher matcher = NAME.matcher(name);
			return matcher.matches() ? new ForeverNode(name, matcher.group(1), Long.parseLong(matcher.group(2))) : null;
		}

		boolean isOurs() {
			return this.label.endsWith(MARK);
		}

	}

}
