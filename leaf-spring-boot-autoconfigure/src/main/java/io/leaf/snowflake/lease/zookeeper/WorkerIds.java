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
 * Obtains worker IDs that have no lease record. Such a worker ID is the number that
 * ZooKeeper assigns to a new node below {@code forever}. ZooKeeper never assigns a number
 * twice, unless {@code forever} is deleted. Servers of Meituan's Leaf get their numbers
 * from the same counter.
 * <p>
 * The node and the lease record of a worker ID cannot be created in one request, because
 * the worker ID is known only after the node has been created. A new node has data
 * version 0, and the transaction that creates the lease record also raises the data
 * version of the node to 1. As long as a node that was created by this library has data
 * version 0, its number has not been used, and any process with this library may use the
 * number. However, the process that created the node is probably about to use the number
 * itself. Another process therefore uses the number only if a new node would get a number
 * that is too large for the layout.
 * <p>
 * Number 0 is never used, because the first server of Meituan's Leaf in an empty tree
 * assumes that its number is 0, regardless of the number that ZooKeeper has assigned to
 * its node.
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
	 * @param unused the nodes of this library whose numbers have never been used
	 */
	void seen(long nextNumber, Collection<ForeverNode> unused) {
		this.nextNumber = nextNumber;
		this.unused.clear();
		this.unused.addAll(unused);
		// shuffled, so that processes that need a worker ID at the same time seldom
		// choose the same node
		Collections.shuffle(this.unused);
	}

	/**
	 * Returns a worker ID that has no lease record, and creates a node if necessary.
	 * @param max the largest worker ID of the layout
	 * @param except worker IDs that the process cannot use. A new node can get one of
	 * these numbers if {@code forever} was deleted, because ZooKeeper then assigns
	 * numbers from 0 again
	 * @return the worker ID, or empty if no worker ID is left
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
					"The next number that ZooKeeper node {} assigns is at least {}, but the highest worker ID of the layout is {}. No new worker ID can therefore be created, and only free worker IDs can be claimed. If there are too few free worker IDs, choose another leaf.name, with a layout that has more leaf.snowflake.layout.worker-bits. Deleting nodes does not lower ZooKeeper's counter",
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
	 * Returns the node of a worker ID if the last call of {@link #next} returned that
	 * worker ID and the worker ID has not been used since, otherwise {@code null}.
	 */
	@Nullable ForeverNode offered(long workerId) {
		ForeverNode node = this.offered;
		return (node != null && node.number() == workerId) ? node : null;
	}

	/**
	 * Returns the content of a node below {@code forever}.
	 * @param timestamp the time at which the lease record is created, in milliseconds
	 * since 1970-01-01T00:00:00Z, or 0 for a new node, which has no lease record yet
	 */
	byte[] content(long timestamp) {
		return LeaseRecordJson.writeForever(this.ip, this.port, timestamp);
	}

	void used() {
		this.offered = null;
	}

	/**
	 * A node below {@code forever} that was created by this library or by a server of
	 * Meituan's Leaf.
	 *
	 * @param name the name of the node
	 * @param label the part of the name before the dash
	 * @param number the part of the name after the dash, which is the worker ID
	 */
	record ForeverNode(String name, String label, long number) {

		// servers of Meituan's Leaf may be unable to parse names of any other form
		private static final Pattern NAME = Pattern.compile("([^-]*)-(\\d{1,10})");

		/**
		 * The end of every label that this library gives to a node. A server of Meituan's
		 * Leaf claims only the node whose label is the {@code ip:port} of the server.
		 * Since such a label ends with a digit, the server never claims a node of this
		 * library.
		 */
		private static final String MARK = ".s";

		/**
		 * Returns the label of a process. Characters that a server of Meituan's Leaf may
		 * not be able to process are replaced with an underscore. Above all, a label must
		 * not contain a dash, because a server of Meituan's Leaf splits the names of all
		 * nodes at each dash, and cannot register itself if the second part of a name is
		 * not a number.
		 * @param host the address or the name of the host of the process; any text is
		 * allowed
		 * @param port distinguishes the process from other processes on the host
		 */
		static String label(String host, String port) {
			// removes the zone of an IPv6 address, because other hosts cannot interpret
			// the zone
			int zone = host.indexOf('%');
			String address = (zone >= 0) ? host.substring(0, zone) : host;
			return (address + ":" + port).replaceAll("[^A-Za-z0-9.:_]", "_") + MARK;
		}

		/**
		 * Parses the name of a node. Returns {@code null} if neither this library nor a
		 * server of Meituan's Leaf gives nodes such a name.
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
