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

import java.util.OptionalLong;

import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.zookeeper.ForeverNodes.ForeverNode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.SetDataResult;

/**
 * Writes registers. The lease and the report to {@code forever} are one transaction, each
 * on condition that nobody has written since: neither one of ours nor a deployed Leaf
 * server.
 */
final class RegisterWriter {

	/**
	 * The first attempt rests on what may be outdated. Another is needed where a node of
	 * {@code forever} was deleted a moment ago.
	 */
	private static final int ATTEMPTS = 3;

	private final TreePaths paths;

	private final Registers registers;

	private final WorkerIds workerIds;

	private final ForeverPayload content;

	RegisterWriter(TreePaths paths, Registers registers, WorkerIds workerIds, ForeverPayload content) {
		this.paths = paths;
		this.registers = registers;
		this.workerIds = workerIds;
		this.content = content;
	}

	/**
	 * Creates a register.
	 * @return its version, or empty if the number is not, or no longer, ours to use
	 */
	OptionalLong create(Requests requests, long workerId, WorkerLease lease) throws KeeperException {
		ForeverNode offered = this.workerIds.offered(workerId);
		if (offered == null) {
			return OptionalLong.empty();
		}
		try {
			SetDataResult report = (SetDataResult) requests.await(requests.transaction(
					requests.create(this.paths.lease(workerId), CreateMode.PERSISTENT, LeaseCodec.write(lease)),
					requests.setData(this.paths.forever(offered.name()), 0, report(lease))))
				.get(1);
			this.workerIds.used();
			// what is written in one transaction has one mzxid
			return OptionalLong.of(report.getStat().getMzxid());
		}
		catch (KeeperException ex) {
			// a node above the two may be missing, too: then the number is still ours
			if (!isConflict(ex) || this.workerIds.isUnused(requests, offered)) {
				throw ex;
			}
			this.workerIds.used();
			return OptionalLong.empty();
		}
	}

	/**
	 * Writes a register that was read.
	 * @return its new version, or empty if it has another version, or nobody may write it
	 */
	OptionalLong update(Requests requests, long workerId, long version, WorkerLease lease) throws KeeperException {
		for (int attempt = 1;; attempt++) {
			Register register = (attempt == 1) ? this.registers.peek(requests, workerId)
					: this.registers.read(requests, workerId);
			if (register != null && register.isWritable(version)) {
				try {
					return OptionalLong.of(update(requests, register, lease));
				}
				catch (KeeperException ex) {
					if (!isConflict(ex) || attempt == ATTEMPTS) {
						throw ex;
					}
				}
			}
			else if (attempt > 1) {
				return OptionalLong.empty();
			}
		}
	}

	private long update(Requests requests, Register register, WorkerLease lease) throws KeeperException {
		long workerId = register.shown().workerId();
		ForeverNode forever = register.forever();
		Op report;
		if (forever != null) {
			report = requests.setData(this.paths.forever(forever.name()), register.foreverVersion(), report(lease));
		}
		else {
			report = requests.create(this.paths.forever(TreePaths.foreverName(this.workerIds.label(), workerId)),
					CreateMode.PERSISTENT, report(lease));
		}
		OpResult written = requests.await(requests.transaction(
				requests.setData(this.paths.lease(workerId), register.leaseVersion(), LeaseCodec.write(lease)), report))
			.get(0);
		return ((SetDataResult) written).getStat().getMzxid();
	}

	private byte[] report(WorkerLease lease) {
		return this.content.at(lease.reported()).toBytes();
	}

	private static boolean isConflict(KeeperException failure) {
		return switch (failure.code()) {
			case BADVERSION, NONODE, NODEEXISTS -> true;
			default -> false;
		};
	}

}
