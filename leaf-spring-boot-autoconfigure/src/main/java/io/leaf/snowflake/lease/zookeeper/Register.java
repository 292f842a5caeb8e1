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

import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.zookeeper.ForeverNodes.ForeverNode;
import io.leaf.snowflake.lease.zookeeper.Requests.Node;
import org.jspecify.annotations.Nullable;

/**
 * A register and what it takes to write it.
 * <p>
 * We write the node below {@code leases} and the one below {@code forever} in one
 * transaction, which gives both the same {@code mzxid}. A deployed Leaf server knows
 * {@code forever} only. So where that node is the younger one, such a server has written
 * it: one with the same address and port, which took the node for its own.
 * <p>
 * The version of a register is the {@code mzxid} of its lease, which is unique to the
 * write. A data version would come back if the node were deleted and created again.
 *
 * @param shown what others see of it
 * @param leaseVersion the data version of the lease
 * @param forever the node below {@code forever}, or {@code null} if it was deleted
 * @param foreverVersion its data version
 */
record Register(LeaseRegister shown, int leaseVersion, @Nullable ForeverNode forever, int foreverVersion) {

	/**
	 * What an unreadable lease stands for: nobody may claim it, ever.
	 */
	private static final WorkerLease UNREADABLE = new WorkerLease("unreadable", Long.MAX_VALUE, "", 0, 0);

	private static final int NAMES_TOLD = 5;

	/**
	 * Puts a register together.
	 * @param workerId its worker ID
	 * @param lease the node below {@code leases}
	 * @param nodes the nodes of this number below {@code forever}, read before the lease
	 * was
	 * @param nextNumber the number that {@code forever} will give next
	 * @param announced whether there is a node below {@code temporary}
	 * @param paths where things are
	 * @param oddities where to tell of what cannot be read
	 */
	static Register of(long workerId, Node lease, List<Held> nodes, long nextNumber, boolean announced, TreePaths paths,
			Oddities oddities) {
		WorkerLease read = UNREADABLE;
		String blockedBy;
		try {
			read = LeaseCodec.read(lease.content());
			blockedBy = blockedBy(workerId, lease, nodes, nextNumber, paths);
		}
		catch (IllegalArgumentException ex) {
			oddities.warn(paths.lease(workerId), "cannot be read (" + ex.getMessage() + "). Nobody will claim it");
			blockedBy = "Node %s cannot be read: %s. Once no process uses worker ID %d, write {\"owner\":\"\",\"horizon\":H} into it, where H is the time a minute later, in milliseconds since 1970"
				.formatted(paths.lease(workerId), ex.getMessage(), workerId);
		}
		Held held = nodes.isEmpty() ? null : nodes.get(0);
		Long reported = (held != null) ? reported(held, paths, oddities) : null;
		long storedAt = lease.stat().getMtime();
		if (held != null && reported != null) {
			// of the same write as what was reported, even where the lease is already of
			// the next
			storedAt = held.node().stat().getMtime();
			read = new WorkerLease(read.owner(), read.horizon(), read.host(), read.since(), reported);
		}
		// without a report of ours there is nothing to compare clocks by
		boolean live = announced && reported != null && blockedBy == null && !read.isReleased();
		LeaseRegister shown = new LeaseRegister(workerId, lease.stat().getMzxid(), read, storedAt, live, blockedBy);
		return new Register(shown, lease.stat().getVersion(), (held != null) ? held.name() : null,
				(held != null) ? held.node().stat().getVersion() : 0);
	}

	private static @Nullable String blockedBy(long workerId, Node lease, List<Held> nodes, long nextNumber,
			TreePaths paths) {
		if (nodes.size() > 1) {
			List<String> names = nodes.stream().map((one) -> one.name().name()).limit(NAMES_TOLD).toList();
			return "Below %s, %d nodes have the same number: %s%s. Delete those that no process uses".formatted(
					paths.forever(), nodes.size(), String.join(" and ", names),
					(nodes.size() > NAMES_TOLD) ? " and others" : "");
		}
		if (nodes.isEmpty()) {
			return (workerId < nextNumber) ? null
					: "Node %s was deleted and counts from 0 again. It may give number %d to a Leaf server next"
						.formatted(paths.forever(), workerId);
		}
		Held held = nodes.get(0);
		if (held.node().stat().getMzxid() > lease.stat().getMzxid()) {
			return "Node %s was written by a server of Meituan's Leaf, which uses worker ID %d. Once that server is gone for good, delete the node"
				.formatted(paths.forever(held.name().name()), workerId);
		}
		return null;
	}

	private static @Nullable Long reported(Held held, TreePaths paths, Oddities oddities) {
		try {
			return ForeverPayload.timestamp(held.node().content());
		}
		catch (IllegalArgumentException ex) {
			oddities.warn(paths.forever(held.name().name()), "cannot be read (" + ex.getMessage() + ")");
			return null;
		}
	}

	/**
	 * Returns whether it may be written by somebody who has read a version.
	 */
	boolean isWritable(long version) {
		return this.shown.version() == version && this.shown.blockedBy() == null;
	}

	/**
	 * A node below {@code forever} that exists.
	 *
	 * @param name its name
	 * @param node what was read
	 */
	record Held(ForeverNode name, Node node) {

	}

}
