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

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.support.DurationText;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.utils.ZKPaths;
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

/**
 * Requests over one connection. ZooKeeper answers those of a connection in their order,
 * so what is asked for one after the other can be under way at once.
 * <p>
 * They go past Curator's retries. Where the answer to a write was lost, Curator would
 * send it again by the policy of its client, and take the conflict of the second with the
 * first for one with another process.
 */
final class Requests {

	private static final List<ACL> OPEN_TO_ALL = List.of(new ACL(ZooDefs.Perms.ALL, new Id("world", "anyone")));

	private final CuratorFramework client;

	private final ZooKeeper zooKeeper;

	private final ZooKeeperFailures failures;

	Requests(CuratorFramework client, ZooKeeper zooKeeper, ZooKeeperFailures failures) {
		this.client = client;
		this.zooKeeper = zooKeeper;
		this.failures = failures;
	}

	long sessionId() {
		return this.zooKeeper.getSessionId();
	}

	/**
	 * Has the reads that follow see every write that was completed before. They may be
	 * under way at once, and count only if this succeeds. Then they count even where the
	 * connection changes to another server, which must not lag behind what this session
	 * has seen.
	 */
	CompletableFuture<Boolean> sync(String path) {
		CompletableFuture<Boolean> answer = new CompletableFuture<>();
		this.zooKeeper.sync(absolute(path), (code, name, context) -> {
			if (succeeds(answer, code, path)) {
				answer.complete(true);
			}
		}, null);
		return answer;
	}

	/**
	 * Reads a node.
	 * @return the node, empty if it does not exist
	 */
	CompletableFuture<Optional<Node>> node(String path) {
		CompletableFuture<Optional<Node>> answer = new CompletableFuture<>();
		this.zooKeeper.getData(absolute(path), false, (code, name, context, content, stat) -> {
			if (code == Code.NONODE.intValue()) {
				answer.complete(Optional.empty());
			}
			else if (succeeds(answer, code, path)) {
				answer.complete(Optional.of(new Node((content != null) ? content : new byte[0], stat)));
			}
		}, null);
		return answer;
	}

	/**
	 * Lists the nodes below a node that must exist.
	 */
	CompletableFuture<Children> children(String path) {
		CompletableFuture<Children> answer = new CompletableFuture<>();
		this.zooKeeper.getChildren(absolute(path), false, (code, name, context, names, stat) -> {
			if (code == Code.CONNECTIONLOSS.intValue()) {
				// also what the client does with an answer that is too long for it
				answer.completeExceptionally(this.failures.unreachable(
						"the connection was lost while the nodes below %s were listed; if that repeats, they are too many for one answer: delete those that nobody uses, for which a client needs -Djute.maxbuffer=100000000"
							.formatted(path),
						KeeperException.create(Code.CONNECTIONLOSS, path)));
			}
			else if (succeeds(answer, code, path)) {
				answer.complete(new Children(names, stat));
			}
		}, null);
		return answer;
	}

	/**
	 * Does all or none of what it is given.
	 */
	CompletableFuture<List<OpResult>> transaction(Op... operations) {
		CompletableFuture<List<OpResult>> answer = new CompletableFuture<>();
		List<Op> all = List.of(operations);
		String paths = String.join(", ", all.stream().map(Op::getPath).toList());
		this.zooKeeper.multi(all, (code, name, context, results) -> {
			if (succeeds(answer, code, paths)) {
				answer.complete(results);
			}
		}, null);
		return answer;
	}

	/**
	 * Returns the creation of a node with the access rights that the client gives. The
	 * node that holds the trees of all applications is open to all: others have other
	 * credentials.
	 */
	Op create(String path, CreateMode mode, byte[] content) {
		return Op.create(absolute(path), content, accessRights(path), mode);
	}

	private List<ACL> accessRights(String path) {
		try {
			// Curator shows them nowhere else. It also creates its namespace now
			Op template = this.client.transactionOp().create().forPath(path, new byte[0]).get();
			return path.equals(TreePaths.BASE) ? OPEN_TO_ALL : ((CreateRequest) template.toRequestRecord()).getAcl();
		}
		catch (Exception ex) {
			throw this.failures.unreachable(ex.toString(), ex);
		}
	}

	Op setData(String path, int version, byte[] content) {
		return Op.setData(absolute(path), content, version);
	}

	Op delete(String path, int version) {
		return Op.delete(absolute(path), version);
	}

	/**
	 * Waits for an answer.
	 * @throws KeeperException if ZooKeeper refuses, or the connection is lost
	 * @throws WorkerLeaseStoreException if there is no answer within the timeout of the
	 * session
	 */
	<T> T await(CompletableFuture<T> answer) throws KeeperException {
		// without an answer for two thirds of this time, the connection is given up
		int timeout = this.zooKeeper.getSessionTimeout();
		try {
			return answer.get(timeout, TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException ex) {
			if (ex.getCause() instanceof KeeperException failure) {
				throw failure;
			}
			if (ex.getCause() instanceof WorkerLeaseStoreException explained) {
				throw explained;
			}
			throw this.failures.unreachable(String.valueOf(ex.getCause()), ex);
		}
		catch (TimeoutException ex) {
			throw this.failures
				.unreachable("no answer within %s".formatted(DurationText.of(Duration.ofMillis(timeout))), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw this.failures.unreachable("interrupted", ex);
		}
	}

	private String absolute(String path) {
		String namespace = this.client.getNamespace();
		return namespace.isEmpty() ? path : ZKPaths.makePath(namespace, path);
	}

	private static boolean succeeds(CompletableFuture<?> answer, int code, String path) {
		if (code == Code.OK.intValue()) {
			return true;
		}
		answer.completeExceptionally(KeeperException.create(Code.get(code), path));
		return false;
	}

	/**
	 * A node as it was read.
	 *
	 * @param content what it holds
	 * @param stat its versions and times
	 */
	record Node(byte[] content, Stat stat) {

	}

	/**
	 * The nodes below a node.
	 *
	 * @param names their names, in no order
	 * @param stat the versions of the node that they are below
	 */
	record Children(List<String> names, Stat stat) {

	}

}
