// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.zookeeper.WorkerIds.ForeverNode;
import io.leaf.snowflake.lease.zookeeper.ZooKeeperRequests.Node;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.common.PathUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the lease records in ZooKeeper, in the tree {@code /snowflake/{leaf.name}} that
 * servers of Meituan's Leaf also use. Such servers and applications with this library can
 * use the same tree at the same time.
 * <ul>
 * <li>{@code forever/{ip}:{port}.s-{number}} reserves the number as a worker ID. The name
 * and the content of the node have the form that those servers use. The node is created
 * before the lease record, and is changed only once, in the transaction that creates the
 * lease record. A node below {@code forever} without {@code .s} belongs to a server of
 * Meituan's Leaf and is left unchanged.</li>
 * <li>{@code leases/{workerId}} holds the lease record of a worker ID.</li>
 * <li>{@code layout} records how the bits of an ID are divided.</li>
 * </ul>
 * Each change of a lease record is one compare-and-set on the data version of the node.
 * The data version changes only together with the version of the lease record. If the
 * data version is not known from an earlier request of the same session, the node is read
 * first. The nodes below {@code forever} show which worker IDs have never been used, and
 * which ones no process may claim: those that a server of Meituan's Leaf uses, and those
 * whose lease record was deleted.
 * <p>
 * Any thread may call the methods, but only one call may be in progress at a time. A call
 * waits up to one second for a connection, and {@link #open} waits up to the connection
 * timeout. For each answer, a call waits at most until the ZooKeeper client gives up the
 * connection, which happens when the server has sent nothing for two thirds of the
 * session timeout.
 */
public final class ZooKeeperWorkerLeaseStore implements WorkerLeaseStore {

	/** The parent of the trees of all applications. */
	static final String BASE = "/snowflake";

	private static final Logger logger = LoggerFactory.getLogger(ZooKeeperWorkerLeaseStore.class);

	private static final byte[] NOTHING = new byte[0];

	private static final int ANY_VERSION = -1;

	private static final Pattern LEASE_NAME = Pattern.compile("[1-9]\\d{0,17}");

	private static final int MAX_NAMES_IN_MESSAGE = 5;

	// the largest number of malformed nodes that are logged
	private static final int MAX_WARNINGS = 100;

	private final ZooKeeperConnection connection;

	private final String name;

	private final String root;

	private final String forever;

	private final String leases;

	private final WorkerIds workerIds;

	private final Map<Long, Known> known = new HashMap<>();

	private final Set<String> malformed = new HashSet<>();

	private String layout = "";

	private long maxWorkerId;

	/**
	 * Creates a store that uses the application's client, including the client's
	 * namespace and access rights. The client must be started before the store is opened.
	 * Closing the store does not close the client.
	 * @param client the client
	 * @param name the {@code leaf.name}
	 * @param host the host of this process, preferably an address
	 * @param port distinguishes this process from other processes on the host
	 * @throws IllegalArgumentException if the name is not a valid name for a ZooKeeper
	 * node
	 */
	public ZooKeeperWorkerLeaseStore(CuratorFramework client, String name, String host, String port) {
		this(ZooKeeperConnection.through(client), name, host, port);
	}

	private ZooKeeperWorkerLeaseStore(ZooKeeperConnection connection, String name, String host, String port) {
		this.connection = connection;
		this.name = name;
		this.root = BASE + "/" + name;
		this.forever = this.root + "/forever";
		this.leases = this.root + "/leases";
		if (name.isBlank() || name.contains("/") || !isValid(this.root)) {
			throw new IllegalArgumentException(
					"leaf.name is '%s', which is not a valid name for a ZooKeeper node. The name must not be blank, and must not contain '/' or control characters"
						.formatted(name));
		}
		this.workerIds = new WorkerIds(this.forever, host, port);
	}

	private static boolean isValid(String path) {
		try {
			PathUtils.validatePath(path);
			return true;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	/**
	 * Creates a store with its own client. The client connects when the store is opened,
	 * and is closed when the store is closed.
	 * @param settings how to connect
	 * @param name the {@code leaf.name}
	 * @param host the host of this process, preferably an address
	 * @param port distinguishes this process from other processes on the host
	 * @return a store
	 * @throws IllegalArgumentException if the name is not a valid name for a ZooKeeper
	 * node
	 */
	public static ZooKeeperWorkerLeaseStore connectingTo(ZooKeeperSettings settings, String name, String host,
			String port) {
		return new ZooKeeperWorkerLeaseStore(ZooKeeperConnection.to(settings), name, host, port);
	}

	@Override
	public String source() {
		return "zookeeper";
	}

	@Override
	public @Nullable String identity() {
		String location = this.connection.locationOf(this.root);
		return (location != null) ? source() + " " + location : null;
	}

	@Override
	public void open(SnowflakeLayout layout) {
		this.maxWorkerId = layout.maxWorkerId();
		this.layout = layout.toString();
		call(this.connection.open(), (requests) -> {
			prepare(requests);
			return layout;
		});
	}

	/**
	 * Creates the missing nodes of the tree, and checks the recorded layout. Usually
	 * nodes are missing only at the first start of an application, and later starts only
	 * read the nodes.
	 */
	private void prepare(ZooKeeperRequests requests) throws KeeperException {
		String layoutPath = this.root + "/layout";
		List<String> folders = List.of(BASE, this.root, this.forever, this.leases);
		List<String> paths = new ArrayList<>(folders);
		paths.add(layoutPath);
		// the nodes are read first, so that the right to create nodes is not needed if
		// the nodes exist
		Map<String, Node> found = requests.nodes(paths);
		for (String folder : folders) {
			if (!found.containsKey(folder)) {
				createFolder(requests, folder, NOTHING);
			}
		}
		Node recorded = found.get(layoutPath);
		if (recorded == null) {
			createFolder(requests, layoutPath, this.layout.getBytes(StandardCharsets.UTF_8));
			// either the node created above, or a node that another process created in
			// the meantime
			recorded = requests.latest(layoutPath);
		}
		String text = (recorded != null) ? new String(recorded.content(), StandardCharsets.UTF_8) : this.layout;
		if (!text.equals(this.layout)) {
			throw this.connection.refusal(
					"The layout of this process is %s, but for leaf.name=%s, ZooKeeper records %s in node %s, and the two layouts could produce equal IDs. Set leaf.snowflake.layout.* to the values of the other processes, or choose another leaf.name. If the recorded text is not a layout, and all processes use the layout of this process, write that layout into the node instead"
						.formatted(this.layout, this.name, LeaseRecordJson.quote(text), layoutPath),
					null);
		}
	}

	private void createFolder(ZooKeeperRequests requests, String path, byte[] content) throws KeeperException {
		try {
			requests.write(requests.create(path, CreateMode.PERSISTENT, content));
		}
		catch (KeeperException ex) {
			if (ex.code() == Code.NONODE && path.equals(BASE)) {
				throw this.connection.missingRoot(ex);
			}
			// NODEEXISTS means that another process has already created the node
			if (ex.code() != Code.NODEEXISTS) {
				throw ex;
			}
		}
	}

	@Override
	public List<LeaseRecord> readAll() {
		return call(this::readAll);
	}

	private List<LeaseRecord> readAll(ZooKeeperRequests requests) throws KeeperException {
		// The children of "leases" are read before the children of "forever". A process
		// creates the node below "forever" before the lease record, so the second list
		// contains a node for each lease record in the first list.
		List<OpResult> lists = requests.read(
				List.of(requests.children(this.leases), requests.children(this.forever), requests.data(this.forever)));
		TreeSet<Long> leased = leased(ZooKeeperRequests.names(lists.get(0)));
		Map<Long, List<ForeverNode>> forever = foreverNodes(ZooKeeperRequests.names(lists.get(1)));
		long nextNumber = nextNumber(ZooKeeperRequests.node(lists.get(2)));

		List<ForeverNode> unleased = forever.values()
			.stream()
			.flatMap(List::stream)
			.filter((node) -> !leased.contains(node.number()))
			.toList();
		List<String> paths = new ArrayList<>();
		leased.forEach((workerId) -> paths.add(lease(workerId)));
		for (ForeverNode node : unleased) {
			// The node is read before the lease record. The transaction that creates a
			// lease record also marks the node as used. If the node is marked but the
			// lease record is missing, the lease record was therefore deleted.
			paths.add(forever(node));
			paths.add(lease(node.number()));
		}
		Map<String, Node> found = requests.nodes(paths);

		Map<Long, LeaseRecord> records = new TreeMap<>();
		for (long workerId : leased) {
			Node node = found.get(lease(workerId));
			if (node != null) {
				LeaseRecord record = record(workerId, node,
						blockedBy(workerId, forever.getOrDefault(workerId, List.of()), nextNumber));
				records.put(workerId, record);
				if (record.blockedBy() == null) {
					this.known.put(workerId,
							new Known(record.version(), node.stat().getVersion(), requests.sessionId()));
				}
			}
		}
		List<ForeverNode> unused = new ArrayList<>();
		for (ForeverNode name : unleased) {
			Node node = found.get(forever(name));
			Node lease = found.get(lease(name.number()));
			if (node == null) {
				continue;
			}
			if (!name.isOurs()) {
				records.put(name.number(), ofLeafServer(name, node));
			}
			else if (lease != null) {
				records.putIfAbsent(name.number(),
						record(name.number(), lease, blockedBy(name.number(), List.of(name), nextNumber)));
			}
			else if (node.stat().getVersion() > 0) {
				records.putIfAbsent(name.number(), blocked(name.number(),
						"Node %s was deleted. %s".formatted(lease(name.number()), remedy(name.number()))));
			}
			else if (name.number() >= WorkerIds.FIRST) {
				unused.add(name);
			}
		}
		this.workerIds.seen(nextNumber, unused);
		return List.copyOf(records.values());
	}

	private String lease(long workerId) {
		return this.leases + "/" + workerId;
	}

	private String forever(ForeverNode node) {
		return this.forever + "/" + node.name();
	}

	private TreeSet<Long> leased(List<String> names) {
		TreeSet<Long> workerIds = new TreeSet<>();
		for (String name : names) {
			if (LEASE_NAME.matcher(name).matches() && Long.parseLong(name) <= this.maxWorkerId) {
				workerIds.add(Long.parseLong(name));
			}
			else {
				warn(this.leases + "/" + name, "is ignored, because its name is not a worker ID from %d to %d"
					.formatted(WorkerIds.FIRST, this.maxWorkerId));
			}
		}
		return workerIds;
	}

	private Map<Long, List<ForeverNode>> foreverNodes(List<String> names) {
		List<ForeverNode> nodes = new ArrayList<>();
		for (String name : names) {
			ForeverNode node = ForeverNode.of(name);
			if (node == null) {
				warn(this.forever + "/" + name,
						"is ignored, because its name does not consist of a label, a dash and a number. Delete this node, because no server of Meituan's Leaf can register itself while the node exists");
			}
			else if (node.number() <= this.maxWorkerId) {
				nodes.add(node);
			}
		}
		return nodes.stream().collect(Collectors.groupingBy(ForeverNode::number, TreeMap::new, Collectors.toList()));
	}

	// The next node gets a number that equals the count of all nodes ever created below
	// "forever". "cversion" is the count of creations plus the count of deletions, and
	// the number of children is the count of creations minus the count of deletions, so
	// half of their sum is the count of creations.
	private static long nextNumber(@Nullable Node forever) {
		return (forever != null) ? ((long) forever.stat().getCversion() + forever.stat().getNumChildren()) / 2 : 0;
	}

	private @Nullable String blockedBy(long workerId, List<ForeverNode> nodes, long nextNumber) {
		if (nodes.isEmpty() && workerId >= nextNumber) {
			return "Node %s was deleted and created again, and therefore assigns numbers from 0 again. A server of Meituan's Leaf could still get number %d"
				.formatted(this.forever, workerId);
		}
		List<String> others = nodes.stream().filter((node) -> !node.isOurs()).map(ForeverNode::name).toList();
		return others.isEmpty() ? null
				: "Worker ID %d may also be used by a server of Meituan's Leaf (%s below %s). Once that server has been shut down permanently, delete its node"
					.formatted(workerId, others.stream().limit(MAX_NAMES_IN_MESSAGE).collect(Collectors.joining(", ")),
							this.forever);
	}

	private LeaseRecord record(long workerId, Node node, @Nullable String blockedBy) {
		try {
			return new LeaseRecord(workerId, LeaseRecordJson.read(node.content()), node.stat().getMtime(), blockedBy);
		}
		catch (IllegalArgumentException ex) {
			warn(lease(workerId), "cannot be read (" + ex.getMessage() + "). No process will claim its worker ID");
			return blocked(workerId,
					"Node %s cannot be read: %s. %s".formatted(lease(workerId), ex.getMessage(), remedy(workerId)));
		}
	}

	private static String remedy(long workerId) {
		return "Once no process uses worker ID %d, set the content of this node (create it if it is missing) to {\"owner\":\"\",\"horizon\":H}, where H is the time one minute from now, in milliseconds since 1970"
			.formatted(workerId);
	}

	private static LeaseRecord blocked(long workerId, String reason) {
		Lease lease = new Lease("unreadable", Lease.MAX_TIME, "", 0, 0, Long.MAX_VALUE);
		return new LeaseRecord(workerId, lease, null, reason);
	}

	private LeaseRecord ofLeafServer(ForeverNode name, Node node) {
		Long reported = LeaseRecordJson.timestamp(node.content());
		Lease lease = new Lease("Leaf server", Lease.MAX_TIME, name.label(), 0, (reported != null) ? reported : 0,
				Long.MAX_VALUE);
		return new LeaseRecord(name.number(), lease, (reported != null) ? node.stat().getMtime() : null,
				"servers of Meituan's Leaf, according to the nodes below %s".formatted(this.forever));
	}

	// logs each node once, and at most MAX_WARNINGS nodes
	private void warn(String path, String problem) {
		if (this.malformed.size() >= MAX_WARNINGS || !this.malformed.add(path)) {
			return;
		}
		logger.warn("ZooKeeper node {} {}", path, problem);
		if (this.malformed.size() == MAX_WARNINGS) {
			logger.warn("{} malformed ZooKeeper nodes have been logged, and no further malformed nodes will be logged",
					MAX_WARNINGS);
		}
	}

	@Override
	public @Nullable LeaseRecord read(long workerId) {
		return call((requests) -> Optional.ofNullable(read(requests, workerId))).orElse(null);
	}

	private @Nullable LeaseRecord read(ZooKeeperRequests requests, long workerId) throws KeeperException {
		Node node = requests.latest(lease(workerId));
		return (node != null) ? record(workerId, node, null) : null;
	}

	@Override
	public boolean write(long workerId, long version, Lease lease) {
		return call((requests) -> (version == ABSENT) ? create(requests, workerId, lease)
				: update(requests, workerId, version, lease));
	}

	// Creates the lease record if the last call of newWorkerId() returned the worker ID
	// and no process has used the worker ID yet. Returns whether this process has created
	// the lease record.
	private boolean create(ZooKeeperRequests requests, long workerId, Lease lease) throws KeeperException {
		ForeverNode offered = this.workerIds.offered(workerId);
		if (offered == null) {
			return false;
		}
		String forever = forever(offered);
		Op use = requests.setData(forever, 0, this.workerIds.content(lease.reported()));
		Op create = requests.create(lease(workerId), CreateMode.PERSISTENT, LeaseRecordJson.write(lease));
		boolean created = true;
		try {
			requests.write(use, create);
			this.known.put(workerId, new Known(lease.version(), 0, requests.sessionId()));
		}
		catch (KeeperException ex) {
			LeaseRecord found = isConflict(ex) ? read(requests, workerId) : null;
			created = found != null && found.version() == lease.version();
			// A conflict can also mean that the node "leases" is missing. In this case
			// the number is still reserved for this process, and call() repeats the
			// request.
			if (!isConflict(ex) || (found == null && isUnused(requests, forever))) {
				throw ex;
			}
		}
		this.workerIds.used();
		return created;
	}

	private static boolean isUnused(ZooKeeperRequests requests, String forever) throws KeeperException {
		Node node = requests.node(forever);
		return node != null && node.stat().getVersion() == 0;
	}

	private boolean update(ZooKeeperRequests requests, long workerId, long version, Lease lease)
			throws KeeperException {
		String path = lease(workerId);
		Known known = this.known.remove(workerId);
		if (known == null || known.version() != version || known.session() != requests.sessionId()) {
			Node node = requests.node(path);
			LeaseRecord found = (node != null) ? record(workerId, node, null) : null;
			if (node == null || found == null || found.blockedBy() != null || found.version() != version) {
				return found != null && found.version() == lease.version();
			}
			known = new Known(version, node.stat().getVersion(), requests.sessionId());
		}
		try {
			int written = requests.set(path, known.dataVersion(), LeaseRecordJson.write(lease)).getVersion();
			this.known.put(workerId, new Known(lease.version(), written, requests.sessionId()));
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

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		return call((requests) -> this.workerIds.next(requests, this.maxWorkerId, except));
	}

	@Override
	public OptionalLong currentTime() {
		return call((requests) -> OptionalLong.of(requests.set(this.leases, ANY_VERSION, NOTHING).getMtime()));
	}

	@Override
	public void whenBack(Runnable action) {
		this.connection.whenBack(action);
	}

	@Override
	public long firstWorkerId() {
		return WorkerIds.FIRST;
	}

	@Override
	public void close() {
		this.connection.close();
	}

	private <T> T call(Work<T> work) {
		return call(this.connection.requests(), work);
	}

	private <T> T call(ZooKeeperRequests requests, Work<T> work) {
		try {
			try {
				return work.apply(requests);
			}
			catch (KeeperException.NoNodeException ex) {
				// A part of the tree was deleted, so the request had no effect and can be
				// repeated.
				prepare(requests);
				return work.apply(requests);
			}
		}
		catch (KeeperException ex) {
			throw this.connection.translate(ex);
		}
	}

	private interface Work<T> {

		T apply(ZooKeeperRequests requests) throws KeeperException;

	}

	/**
	 * What this process last saw of the node of a lease record.
	 *
	 * @param version the version of the lease record
	 * @param dataVersion the data version of the node
	 * @param session the session in which the node was seen. Within a session, ZooKeeper
	 * never shows an older state of a node after a newer one, so the data version
	 * identifies the content of the node. The only exception is a node that was deleted
	 * and created again manually, because its data versions start again from 0. If the
	 * new node has the known data version at the next write of this process, the write
	 * replaces content that this process has not read
	 */
	private record Known(long version, int dataVersion, long session) {

	}

}
