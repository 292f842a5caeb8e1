// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.leaf.support.DurationText;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.CreateRequest;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests over one connection. ZooKeeper answers the requests of a connection in
 * the order in which they were sent, so several requests can be pending at once.
 * <p>
 * The requests bypass Curator's retries. If the answer to a write were lost, Curator
 * could send the write again, depending on the retry policy of the client. The second
 * write would conflict with the first write, and this would look like a conflict with
 * another process.
 */
final class ZooKeeperRequests {

	/**
	 * All rights for everyone. {@code List.of} is not used, because ZooKeeper checks
	 * whether the list contains {@code null}, and a list of {@code List.of} throws an
	 * exception on this check.
	 */
	static final List<ACL> OPEN_TO_ALL = Collections
		.singletonList(new ACL(ZooDefs.Perms.ALL, new Id("world", "anyone")));

	// The largest number of nodes that are read in one request. The contents of this many
	// lease records fit into one answer.
	private static final int AT_ONCE = 1024;

	private final ZooKeeperConnection connection;

	private final CuratorFramework client;

	private final ZooKeeper zooKeeper;

	private final Batches batches;

	ZooKeeperRequests(ZooKeeperConnection connection, CuratorFramework client, ZooKeeper zooKeeper, Batches batches) {
		this.connection = connection;
		this.client = client;
		this.zooKeeper = zooKeeper;
		this.batches = batches;
	}

	long sessionId() {
		return this.zooKeeper.getSessionId();
	}

	@Nullable Node node(String path) throws KeeperException {
		return node(await(single(data(path))));
	}

	/**
	 * Reads the current content of a node, which includes the latest write of any
	 * process. The first request makes the server catch up with the latest write, and the
	 * second request reads the node. The second request is sent without waiting for the
	 * answer to the first. Even if the client switches to another server between the two
	 * requests, the result is up to date, because ZooKeeper does not let a session
	 * continue on a server that lags behind what the session has seen.
	 */
	@Nullable Node latest(String path) throws KeeperException {
		CompletableFuture<String> sync = new CompletableFuture<>();
		this.zooKeeper.sync(absolute(path), (code, name, context) -> complete(sync, code, name, name), null);
		CompletableFuture<OpResult> answer = single(data(path));
		await(sync);
		return node(await(answer));
	}

	/**
	 * Reads nodes in the given order, and returns the existing nodes by path.
	 */
	Map<String, Node> nodes(List<String> paths) throws KeeperException {
		List<OpResult> results = read(paths.stream().map(this::data).toList());
		Map<String, Node> nodes = new HashMap<>();
		for (int i = 0; i < paths.size(); i++) {
			Node node = node(results.get(i));
			if (node != null) {
				nodes.put(paths.get(i), node);
			}
		}
		return nodes;
	}

	Op data(String path) {
		return Op.getData(absolute(path));
	}

	Op children(String path) {
		return Op.getChildren(absolute(path));
	}

	/**
	 * Reads nodes. If the client is Leaf's own and the servers have ZooKeeper 3.6 or
	 * later, a request reads up to {@value #AT_ONCE} nodes, otherwise one node.
	 * @param reads the reads, as returned by {@link #data} and {@link #children}
	 * @return one result for each read, in the order of the reads, to be passed to
	 * {@link #node} or {@link #names}
	 * @throws KeeperException if a read fails for another reason than a missing node
	 */
	List<OpResult> read(List<Op> reads) throws KeeperException {
		boolean batch = reads.size() < this.batches.tooMany;
		List<OpResult> results = new ArrayList<>();
		try {
			for (int from = 0; from < reads.size(); from += AT_ONCE) {
				List<Op> some = reads.subList(from, Math.min(reads.size(), from + AT_ONCE));
				results.addAll(batch ? batch(some) : singly(some));
			}
		}
		catch (KeeperException ex) {
			boolean lost = ex.code() == Code.CONNECTIONLOSS;
			if (batch && (lost || ex.code() == Code.UNIMPLEMENTED)) {
				// from now on, calls that read as many nodes as this one, or more, send
				// one request per node. If no batch has been answered yet, all calls do
				this.batches.tooMany = this.batches.answered ? reads.size() : 0;
			}
			if (!lost || reads.stream().noneMatch((read) -> read.getType() == ZooDefs.OpCode.getChildren)) {
				throw ex;
			}
			// the ZooKeeper client closes the connection if a list of children is longer
			// than the client's buffer
			throw this.connection.unreachable(
					"the connection was lost while %s was read; if this happens repeatedly, there may be too many nodes below 'leases' or 'forever' for one answer, so delete those that no process uses, with a client that is started with -Djute.maxbuffer=100000000"
						.formatted(ex.getPath()),
					ex);
		}
		if (!batch && this.batches.answered) {
			this.batches.tooMany = Integer.MAX_VALUE;
		}
		for (int i = 0; i < results.size(); i++) {
			if (results.get(i) instanceof OpResult.ErrorResult error && error.getErr() != Code.NONODE.intValue()) {
				throw KeeperException.create(Code.get(error.getErr()), reads.get(i).getPath());
			}
		}
		return results;
	}

	private List<OpResult> batch(List<Op> reads) throws KeeperException {
		CompletableFuture<List<OpResult>> answer = new CompletableFuture<>();
		String path = reads.get(0).getPath();
		// 'code' is the error code of the first node that could not be read. If there are
		// results, 'code' is ignored, because each node has its own result, which
		// contains the error code if the node could not be read.
		this.zooKeeper.multi(reads, (code, name, context, results) -> complete(answer,
				(results != null) ? Code.OK.intValue() : code, path, results), null);
		List<OpResult> results = await(answer);
		this.batches.answered = true;
		return results;
	}

	private List<OpResult> singly(List<Op> reads) throws KeeperException {
		List<OpResult> results = new ArrayList<>();
		for (CompletableFuture<OpResult> answer : reads.stream().map(this::single).toList()) {
			results.add(await(answer));
		}
		return results;
	}

	private CompletableFuture<OpResult> single(Op read) {
		CompletableFuture<OpResult> answer = new CompletableFuture<>();
		String path = read.getPath();
		if (read.getType() == ZooDefs.OpCode.getData) {
			this.zooKeeper.getData(path, false, (code, name, context, content, stat) -> complete(answer, code, path,
					new OpResult.GetDataResult(content, stat)), null);
		}
		else {
			AsyncCallback.ChildrenCallback listed = (code, name, context, names) -> complete(answer, code, path,
					new OpResult.GetChildrenResult(names));
			this.zooKeeper.getChildren(path, false, listed, null);
		}
		// returns an ErrorResult for a missing node, as a batch does
		return answer.exceptionallyCompose((ex) -> (ex instanceof KeeperException.NoNodeException)
				? CompletableFuture.completedFuture(new OpResult.ErrorResult(Code.NONODE.intValue()))
				: CompletableFuture.failedFuture(ex));
	}

	static @Nullable Node node(OpResult result) {
		if (result instanceof OpResult.GetDataResult read) {
			return new Node((read.getData() != null) ? read.getData() : new byte[0], read.getStat());
		}
		return null;
	}

	/**
	 * Returns the names of the child nodes in a result of {@link #read}.
	 * @throws KeeperException if the parent node does not exist
	 */
	static List<String> names(OpResult result) throws KeeperException {
		if (result instanceof OpResult.GetChildrenResult read) {
			return read.getChildren();
		}
		throw new KeeperException.NoNodeException();
	}

	/**
	 * Executes all of the operations or none.
	 * @return one result for each operation, in the order of the operations
	 */
	List<OpResult> write(Op... operations) throws KeeperException {
		CompletableFuture<List<OpResult>> answer = new CompletableFuture<>();
		List<Op> all = List.of(operations);
		String paths = String.join(", ", all.stream().map(Op::getPath).toList());
		this.zooKeeper.multi(all, (code, name, context, results) -> complete(answer, code, paths, results), null);
		return await(answer);
	}

	Stat set(String path, int version, byte[] content) throws KeeperException {
		return ((OpResult.SetDataResult) write(setData(path, version, content)).get(0)).getStat();
	}

	/**
	 * Returns an operation that creates a node with the access rights that the client is
	 * configured to grant. The node that holds the trees of all applications is always
	 * open to everyone, because the applications can have different credentials.
	 */
	Op create(String path, CreateMode mode, byte[] content) {
		try {
			// This operation is built only to find out which rights Curator would grant,
			// because Curator does not provide them otherwise. Building the operation
			// also creates Curator's namespace.
			Op template = this.client.transactionOp().create().forPath(path, content).get();
			List<ACL> rights = ((CreateRequest) template.toRequestRecord()).getAcl();
			return Op.create(absolute(path), content,
					path.equals(ZooKeeperWorkerLeaseStore.BASE) ? OPEN_TO_ALL : rights, mode);
		}
		catch (Exception ex) {
			throw this.connection.unreachable(ex.toString(), ex);
		}
	}

	Op setData(String path, int version, byte[] content) {
		return Op.setData(absolute(path), content, version);
	}

	Op delete(String path, int version) {
		return Op.delete(absolute(path), version);
	}

	private <T> T await(CompletableFuture<T> answer) throws KeeperException {
		// This timeout is only a precaution: after two thirds of the session timeout
		// without an answer, the client gives up the connection, and the request fails.
		int timeout = this.zooKeeper.getSessionTimeout();
		try {
			return answer.get(timeout, TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof KeeperException failure) {
				throw failure;
			}
			throw this.connection.unreachable(String.valueOf(ex.getCause()), ex);
		}
		catch (TimeoutException ex) {
			throw this.connection
				.unreachable("no answer within %s".formatted(DurationText.of(Duration.ofMillis(timeout))), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw this.connection.unreachable("interrupted", ex);
		}
	}

	private String absolute(String path) {
		String namespace = this.client.getNamespace();
		return namespace.isEmpty() ? path : ZKPaths.makePath(namespace, path);
	}

	private static <T> void complete(CompletableFuture<T> answer, int code, String path, T result) {
		if (code == Code.OK.intValue()) {
			answer.complete(result);
		}
		else {
			answer.completeExceptionally(KeeperException.create(Code.get(code), path));
		}
	}

	/**
	 * Whether nodes are read in batches. A batch is several reads in one request. Servers
	 * before ZooKeeper 3.6 do not support batches and close the connection. If the
	 * connection is lost during a batch and no batch has been answered before, batches
	 * are no longer used. If a batch has been answered before, the connection was lost
	 * for another reason, for example because the answer was too long. Batches are then
	 * used only by calls of {@link #read} that read fewer nodes than the call that
	 * failed. All other calls read each node with a request of its own. Once one of them
	 * has succeeded, all calls use batches again.
	 */
	static final class Batches {

		private volatile int tooMany;

		private volatile boolean answered;

		Batches(boolean use) {
			this.tooMany = use ? Integer.MAX_VALUE : 0;
		}

	}

	record Node(byte[] content, Stat stat) {

	}

}
