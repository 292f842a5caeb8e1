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
 * forever}. ZooKeeper never assigns a number twice, and deployed Leaf servers get theirs
 * from the same counter.
 * <p>
 * A node and its lease record cannot be created in one request, because the number is
 * known only afterwards. So a node is created with data version 0, and the transaction
 * that creates its lease record moves the node to version 1: a node of this library with
 * version 0 has never been used, and any process may use it. A process does so only when
 * the layout has no number left, since in most cases the creator of the node is just
 * about to use it.
 * <p>
 * Number 0 is never used. The first deployed Leaf server on an empty tree believes that
 * it has number 0, whatever number its node was given.
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
	 * Takes over the result of a listing of {@code forever}.
	 * @param nextNumber the smallest number that the next node can get
	 * @param unused the nodes of this library that have never been used
	 */
	void seen(long nextNumber, Collection<ForeverNode> unused) {
		this.nextNumber = nextNumber;
		this.unused.clear();
		this.unused.addAll(unused);
		// processes that ask at the same time seldom get the same one
		Collections.shuffle(this.unused);
	}

	/**
	 * Returns a worker ID that has no lease record.
	 * @param max the largest worker ID of the layout
	 * @param except worker IDs that the process cannot use. ZooKeeper assigns one of them
	 * if its folder was deleted and the numbers start again from 0
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
					"ZooKeeper node {} assigns number {} or a higher one next, but the layout's highest worker ID is {}: no new worker ID can be created, only free ones can be claimed. If there are too few, choose another leaf.name, with a layout that has more leaf.snowflake.layout.worker-bits. Deleting nodes does not lower ZooKeeper's counter",
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
	 * Returns the node of a worker ID, if that worker ID was the last one offered.
	 */
	@Nullable ForeverNode offered(long workerId) {
		ForeverNode node = this.offered;
		return (node != null && node.number() == workerId) ? node : null;
	}

	/**
	 * Returns the content of a node below {@code forever}.
	 * @param timestamp when its lease record is created
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
	 * @param name its name
	 * @param label the part before the dash
	 * @param number the part after the dash, which is the worker ID
	 */
	record ForeverNode(String name, String label, long number) {

		// a Leaf server understands no other names
		private static final Pattern NAME = Pattern.compile("([^-]*)-(\\d{1,10})");

		/**
		 * The end of all labels of this library. A deployed Leaf server claims a node
		 * whose label is its own {@code ip:port}, and its port is a number.
		 */
		private static final String MARK = ".s";

		/**
		 * Returns the label of a process, in characters that a deployed Leaf server can
		 * process. It splits the names of all nodes at each dash: one more dash before
		 * the number would keep it from starting.
		 * @param host its address or the name of its host, of any characters
		 * @param port distinguishes it from other processes of that host
		 */
		static String label(String host, String port) {
			// the zone of an IPv6 address is valid only on its own host
			int zone = host.indexOf('%');
			String address = (zone >= 0) ? host.substring(0, zone) : host;
			return (address + ":" + port).replaceAll("[^A-Za-z0-9.:_]", "_") + MARK;
		}

		/**
		 * Returns the node of a name, or {@code null} if neither this library nor a Leaf
		 * server has such names.
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
