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

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

import io.leaf.snowflake.lease.zookeeper.ForeverNodes.ForeverNode;
import io.leaf.snowflake.lease.zookeeper.Requests.Node;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.CreateResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets new numbers from {@code forever}. Each number is given once, ever, and deployed
 * Leaf servers draw from the same ones, so none is wasted: one that was not used is
 * offered again, and one whose creation was not answered is looked for.
 */
final class WorkerIds {

	private static final Logger log = LoggerFactory.getLogger(ZooKeeperWorkerLeaseStore.class);

	private final TreePaths paths;

	private final Registers registers;

	private final NodeLabel label;

	private final byte[] content;

	private @Nullable ForeverNode offered;

	/**
	 * The smallest number of a node whose creation was not answered.
	 */
	private @Nullable Long unanswered;

	private boolean toldOfEnd;

	WorkerIds(TreePaths paths, Registers registers, NodeLabel label, ForeverPayload content) {
		this.paths = paths;
		this.registers = registers;
		this.label = label;
		this.content = content.at(ForeverPayload.NEVER).toBytes();
	}

	/**
	 * Returns a number that has no lease, creating its node.
	 * @return a worker ID, or empty if all within the layout have been given
	 */
	OptionalLong next(Requests requests) throws KeeperException {
		requests.await(requests.sync(this.paths.root()));
		ForeverNode node = this.offered;
		if (node != null && isUnused(requests, node)) {
			return OptionalLong.of(node.number());
		}
		this.offered = null;
		ForeverNodes nodes = this.registers.foreverNodes(requests.await(requests.children(this.paths.forever())));
		ForeverNode found = findUnanswered(requests, nodes);
		if (found != null) {
			return offer(found);
		}
		long nextNumber = nodes.nextNumber();
		while (nextNumber <= this.registers.maxWorkerId()) {
			ForeverNode created = create(requests, nextNumber);
			if (created.number() <= this.registers.maxWorkerId() && isUnused(requests, created)) {
				return offer(created);
			}
			// too large; or "forever" was deleted, and there is a lease from before
			remove(requests, created);
			nextNumber = created.number() + 1;
		}
		if (!this.toldOfEnd) {
			this.toldOfEnd = true;
			log.warn(
					"ZooKeeper node {} will assign number {} next, but the layout's highest worker ID is {}: no new worker ID can be created. ZooKeeper's counter never decreases, even if nodes are deleted",
					this.paths.forever(), nextNumber, this.registers.maxWorkerId());
		}
		return OptionalLong.empty();
	}

	private OptionalLong offer(ForeverNode node) {
		this.offered = node;
		return OptionalLong.of(node.number());
	}

	/**
	 * Returns the node whose number was offered last.
	 * @return the node, or {@code null} if that was another number
	 */
	@Nullable ForeverNode offered(long workerId) {
		return (this.offered != null && this.offered.number() == workerId) ? this.offered : null;
	}

	/**
	 * Takes the number offered last for used.
	 */
	void used() {
		this.offered = null;
	}

	/**
	 * Removes the node whose number was offered and not used.
	 */
	void removeOffered(Requests requests) throws KeeperException {
		ForeverNode node = this.offered;
		this.offered = null;
		if (node != null) {
			remove(requests, node);
		}
	}

	private ForeverNode create(Requests requests, long nextNumber) throws KeeperException {
		this.unanswered = nextNumber;
		String prefix = this.paths.forever(this.label + "-");
		List<OpResult> results = requests
			.await(requests.transaction(requests.create(prefix, CreateMode.PERSISTENT_SEQUENTIAL, this.content)));
		this.unanswered = null;
		String path = ((CreateResult) results.get(0)).getPath();
		return new ForeverNode(path.substring(path.lastIndexOf('/') + 1), this.label,
				Long.parseLong(path.substring(path.lastIndexOf('-') + 1)));
	}

	/**
	 * Looks for the node that a creation without an answer may have left. It may find one
	 * that another process of the same label has just created; only one of the two will
	 * get the lease.
	 */
	private @Nullable ForeverNode findUnanswered(Requests requests, ForeverNodes nodes) throws KeeperException {
		Long from = this.unanswered;
		if (from == null) {
			return null;
		}
		for (ForeverNode node : nodes.labelled(this.label)) {
			if (node.number() >= from && node.number() <= this.registers.maxWorkerId() && isUnused(requests, node)) {
				this.unanswered = null;
				return node;
			}
		}
		return null;
	}

	/**
	 * Returns the label of the nodes that are created.
	 */
	NodeLabel label() {
		return this.label;
	}

	/**
	 * Returns whether a node is as one of ours has created it, and its number is free.
	 */
	boolean isUnused(Requests requests, ForeverNode node) throws KeeperException {
		CompletableFuture<Optional<Node>> forever = requests.node(this.paths.forever(node.name()));
		CompletableFuture<Optional<Node>> lease = requests.node(this.paths.lease(node.number()));
		Optional<Node> found = requests.await(forever);
		return found.isPresent() && found.get().stat().getVersion() == 0 && isNever(found.get().content())
				&& requests.await(lease).isEmpty();
	}

	private static boolean isNever(byte[] content) {
		try {
			return ForeverPayload.timestamp(content) == ForeverPayload.NEVER;
		}
		catch (IllegalArgumentException ex) {
			// whoever wrote it, it was not one of ours
			return false;
		}
	}

	private void remove(Requests requests, ForeverNode node) throws KeeperException {
		try {
			requests.await(requests.transaction(requests.delete(this.paths.forever(node.name()), 0)));
		}
		catch (KeeperException ex) {
			if (ex.code() != Code.BADVERSION && ex.code() != Code.NONODE) {
				throw ex;
			}
			log.debug("Somebody else uses or has deleted {}", ex.getPath());
		}
	}

}
