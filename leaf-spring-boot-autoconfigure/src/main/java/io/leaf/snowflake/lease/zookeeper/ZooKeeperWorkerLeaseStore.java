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
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.zookeeper.Requests.Node;
import io.leaf.snowflake.lease.zookeeper.WorkerIds.ForeverNode;
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
 * Keeps leases in ZooKeeper, in the tree {@code /snowflake/{leaf.name}} that servers of
 * Meituan's Leaf use: both may work in it at the same time.
 * <ul>
 * <li>{@code forever/{ip}:{port}.s-{number}} gives the number that is the worker ID, as
 * those servers have it. It is written when the register is created, and never again. A
 * node there without {@code .s} belongs to such a server, and is left alone.</li>
 * <li>{@code leases/{workerId}} is the register.</li>
 * <li>{@code layout} says how the bits of an ID are divided.</li>
 * </ul>
 * Each write of a register is one compare-and-set: it names the data version of the node
 * that was found to hold the version to replace. Only in a new session does that take a
 * read before. What is read of {@code forever} only adds worker IDs that no process may
 * claim: those of deployed Leaf servers, and those whose register was deleted.
 * <p>
 * Made for one call at a time, on whichever thread. A call waits up to a second for a
 * connection ({@link #open} for as long as the connection timeout), and for each answer
 * until ZooKeeper gives the connection up, at two thirds of the session timeout.
 */
public final class ZooKeeperWorkerLeaseStore implements WorkerLeaseStore {

	/**
	 * What holds the trees of all applications.
	 */
	static final String BASE = "/snowflake";

	private static final Logger log = LoggerFactory.getLogger(ZooKeeperWorkerLeaseStore.class);

	private static final byte[] NOTHING = new byte[0];

	private static final int ANY_VERSION = -1;

	private static final Pattern LEASE_NAME = Pattern.compile("[1-9]\\d{0,17}");

	private static final int NAMES_TOLD = 5;

	/**
	 * How many nodes are told of that should not be in the tree.
	 */
	private static final int ODDITIES_TOLD = 100;

	private final Connection connection;

	private final String name;

	private final String root;

	private final String forever;

	private final String leases;

	private final WorkerIds workerIds;

	private final Map<Long, Known> known = new HashMap<>();

	private final Set<String> oddities = new HashSet<>();

	private String layout = "";

	private long maxWorkerId;

	/**
	 * Creates a store that uses a client of the application, with its namespace and its
	 * access rights. The client must have been started when the store is opened, and
	 * stays open when the store is closed.
	 * @param client the client
	 * @param name the {@code leaf.name}
	 * @param host the host of this process, best an address
	 * @param port what tells this process from others of its host
	 * @throws IllegalArgumentException if there can be no node of that name
	 */
	public ZooKeeperWorkerLeaseStore(CuratorFramework client, String name, String host, String port) {
		this(Connection.through(client), name, host, port);
	}

	private ZooKeeperWorkerLeaseStore(Connection connection, String name, String host, String port) {
		this.connection = connection;
		this.name = name;
		this.root = BASE + "/" + name;
		this.forever = this.root + "/forever";
		this.leases = this.root + "/leases";
		if (name.isBlank() || name.contains("/") || !isValid(this.root)) {
			throw new IllegalArgumentException(
					"leaf.name is '%s', and ZooKeeper can have no node of that name. It must not be blank, and have no '/' and no control characters"
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
	 * Creates a store with a client of its own, which connects when the store is opened
	 * and is closed with it.
	 * @param settings how to connect
	 * @param name the {@code leaf.name}
	 * @param host the host of this process, best an address
	 * @param port what tells this process from others of its host
	 * @return a store
	 * @throws IllegalArgumentException if there can be no node of that name
	 */
	public static ZooKeeperWorkerLeaseStore connectingTo(ZooKeeperSettings settings, String name, String host,
			String port) {
		return new ZooKeeperWorkerLeaseStore(Connection.to(settings), name, host, port);
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
	 * Prepares the tree. What exists is left as it is. If all does, which is so for all
	 * starts but the first, this is one request.
	 */
	private void prepare(Requests requests) throws KeeperException {
		String layoutPath = this.root + "/layout";
		List<String> folders = List.of(BASE, this.root, this.forever, this.leases);
		List<String> paths = new ArrayList<>(folders);
		paths.add(layoutPath);
		// to look first saves asking for the right to create what exists
		Map<String, Node> found = requests.nodes(paths);
		for (String folder : folders) {
			if (!found.containsKey(folder)) {
				createFolder(requests, folder, NOTHING);
			}
		}
		Node recorded = found.get(layoutPath);
		if (recorded == null) {
			createFolder(requests, layoutPath, this.layout.getBytes(StandardCharsets.UTF_8));
			// ours, or that of a process that was faster
			recorded = requests.latest(layoutPath);
		}
		String text = (recorded != null) ? new String(recorded.content(), StandardCharsets.UTF_8) : this.layout;
		if (!text.equals(this.layout)) {
			throw this.connection.refusal(
					"The layout of this process is %s, but that of leaf.name=%s is %s, as ZooKeeper node %s says. IDs of both could be equal. Set leaf.snowflake.layout.* as the other processes have it, or choose another leaf.name. Only if the node holds no layout at all, and no process has another one than this: write this one's into it"
						.formatted(this.layout, this.name, RegisterJson.quote(text), layoutPath),
					null);
		}
	}

	private void createFolder(Requests requests, String path, byte[] content) throws KeeperException {
		try {
			requests.write(requests.create(path, CreateMode.PERSISTENT, content));
		}
		catch (KeeperException ex) {
			if (ex.code() == Code.NONODE && path.equals(BASE)) {
				throw this.connection.missingRoot(ex);
			}
			// another process was faster
			if (ex.code() != Code.NODEEXISTS) {
				throw ex;
			}
		}
	}

	@Override
	public List<LeaseRegister> readAll() {
		return call(this::readAll);
	}

	private List<LeaseRegister> readAll(Requests requests) throws KeeperException {
		// in this order: a register is created after its node below "forever"
		List<OpResult> lists = requests.read(
				List.of(requests.children(this.leases), requests.children(this.forever), requests.data(this.forever)));
		TreeSet<Long> leased = leased(Requests.names(lists.get(0)));
		Map<Long, List<ForeverNode>> forever = foreverNodes(Requests.names(lists.get(1)));
		long nextNumber = nextNumber(Requests.node(lists.get(2)));

		List<ForeverNode> unleased = forever.values()
			.stream()
			.flatMap(List::stream)
			.filter((node) -> !leased.contains(node.number()))
			.toList();
		List<String> paths = new ArrayList<>();
		leased.forEach((workerId) -> paths.add(lease(workerId)));
		for (ForeverNode node : unleased) {
			// in this order: a register that was created meanwhile is there if the node
			// is marked as used
			paths.add(forever(node));
			paths.add(lease(node.number()));
		}
		Map<String, Node> found = requests.nodes(paths);

		Map<Long, LeaseRegister> registers = new TreeMap<>();
		for (long workerId : leased) {
			Node node = found.get(lease(workerId));
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
			Node node = found.get(forever(name));
			Node lease = found.get(lease(name.number()));
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
						"Node %s was deleted. %s".formatted(lease(name.number()), remedy(name.number()))));
			}
			else if (name.number() >= WorkerIds.FIRST) {
				unused.add(name);
			}
		}
		this.workerIds.seen(nextNumber, unused);
		return List.copyOf(registers.values());
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
				warn(this.leases + "/" + name, "is ignored, as its name is not a worker ID from %d to %d"
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
				.formatted(this.forever, workerId);
		}
		List<String> others = nodes.stream().filter((node) -> !node.isOurs()).map(ForeverNode::name).toList();
		return others.isEmpty() ? null
				: "Worker ID %d may be used by a server of Meituan's Leaf, too: %s below %s. Once that server is gone for good, delete its node"
					.formatted(workerId, others.stream().limit(NAMES_TOLD).collect(Collectors.joining(", ")),
							this.forever);
	}

	private LeaseRegister register(long workerId, Node node, @Nullable String blockedBy) {
		try {
			return new LeaseRegister(workerId, RegisterJson.read(node.content()), node.stat().getMtime(), blockedBy);
		}
		catch (IllegalArgumentException ex) {
			warn(lease(workerId), "cannot be read (" + ex.getMessage() + "). No process will claim it");
			return blocked(workerId,
					"Node %s cannot be read: %s. %s".formatted(lease(workerId), ex.getMessage(), remedy(workerId)));
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
				"servers of Meituan's Leaf, as the nodes below %s say".formatted(this.forever));
	}

	// once of each node, and not of very many
	private void warn(String path, String oddity) {
		if (this.oddities.size() >= ODDITIES_TOLD || !this.oddities.add(path)) {
			return;
		}
		log.warn("ZooKeeper node {} {}", path, oddity);
		if (this.oddities.size() == ODDITIES_TOLD) {
			log.warn("{} malformed ZooKeeper nodes have been reported; further ones will not be logged", ODDITIES_TOLD);
		}
	}

	@Override
	public @Nullable LeaseRegister read(long workerId) {
		return call((requests) -> Optional.ofNullable(read(requests, workerId))).orElse(null);
	}

	private @Nullable LeaseRegister read(Requests requests, long workerId) throws KeeperException {
		Node node = requests.latest(lease(workerId));
		return (node != null) ? register(workerId, node, null) : null;
	}

	@Override
	public boolean write(long workerId, long version, WorkerLease lease) {
		return call((requests) -> (version == ABSENT) ? create(requests, workerId, lease)
				: update(requests, workerId, version, lease));
	}

	// whether the worker ID had been offered, and no process had used it yet
	private boolean create(Requests requests, long workerId, WorkerLease lease) throws KeeperException {
		ForeverNode offered = this.workerIds.offered(workerId);
		if (offered == null) {
			return false;
		}
		String forever = forever(offered);
		Op use = requests.setData(forever, 0, this.workerIds.content(lease.reported()));
		Op create = requests.create(lease(workerId), CreateMode.PERSISTENT, RegisterJson.write(lease));
		boolean created = true;
		try {
			requests.write(use, create);
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
		Node node = requests.node(forever);
		return node != null && node.stat().getVersion() == 0;
	}

	private boolean update(Requests requests, long workerId, long version, WorkerLease lease) throws KeeperException {
		String path = lease(workerId);
		Known known = this.known.remove(workerId);
		if (known == null || known.version() != version || known.session() != requests.sessionId()) {
			Node node = requests.node(path);
			LeaseRegister found = (node != null) ? register(workerId, node, null) : null;
			if (node == null || found == null || found.blockedBy() != null || found.version() != version) {
				return found != null && found.version() == lease.version();
			}
			known = new Known(version, node.stat().getVersion(), requests.sessionId());
		}
		try {
			int written = requests.set(path, known.dataVersion(), RegisterJson.write(lease)).getVersion();
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

	private <T> T call(Requests requests, Work<T> work) {
		try {
			try {
				return work.apply(requests);
			}
			catch (KeeperException.NoNodeException ex) {
				// a part of the tree was deleted, and nothing was done
				prepare(requests);
				return work.apply(requests);
			}
		}
		catch (KeeperException ex) {
			throw this.connection.translate(ex);
		}
	}

	private interface Work<T> {

		T apply(Requests requests) throws KeeperException;

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
