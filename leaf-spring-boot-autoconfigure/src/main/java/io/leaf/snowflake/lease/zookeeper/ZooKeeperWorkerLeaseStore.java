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

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.OpResult.SetDataResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps leases in ZooKeeper, in the tree {@code /snowflake/{leaf.name}} that servers of
 * Meituan's Leaf use: both may work in it at the same time.
 * <ul>
 * <li>{@code forever/{ip}:{port}-{number}} as those servers have it: the number is the
 * worker ID, and the content the time last reported. A node there without a lease belongs
 * to such a server, and is left alone.</li>
 * <li>{@code temporary/{ip}:{port}-{workerId}} lives as long as the session of the
 * process.</li>
 * <li>{@code leases/{workerId}} is the register.</li>
 * <li>{@code layout} says how the bits of an ID are divided.</li>
 * </ul>
 * Made for one call at a time, on whichever thread. A call waits up to a second for a
 * connection ({@link #open} for as long as the connection timeout), and for each answer
 * until ZooKeeper gives the connection up, at two thirds of the session timeout.
 */
public final class ZooKeeperWorkerLeaseStore implements WorkerLeaseStore {

	private static final Logger log = LoggerFactory.getLogger(ZooKeeperWorkerLeaseStore.class);

	private static final byte[] NOTHING = new byte[0];

	private static final int ANY_VERSION = -1;

	private final Connection connection;

	private final TreePaths paths;

	private final TreeSetup setup;

	private final ForeverPayload content;

	private final Registers registers;

	private final WorkerIds workerIds;

	private final RegisterWriter writer;

	private final TemporaryNodes temporaryNodes;

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
		this.paths = new TreePaths(name);
		this.setup = new TreeSetup(this.paths, connection.failures());
		this.content = new ForeverPayload(host, port, ForeverPayload.NEVER);
		NodeLabel label = NodeLabel.of(host, port);
		this.registers = new Registers(this.paths, new Oddities());
		this.workerIds = new WorkerIds(this.paths, this.registers, label, this.content);
		this.writer = new RegisterWriter(this.paths, this.registers, this.workerIds, this.content);
		this.temporaryNodes = new TemporaryNodes(this.paths, label);
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
		String location = this.connection.locationOf(this.paths.root());
		return (location != null) ? source() + " " + location : null;
	}

	@Override
	public void open(SnowflakeLayout layout) {
		this.registers.maxWorkerId(layout.maxWorkerId());
		this.setup.layout(layout);
		call(this.connection.open(), (requests) -> {
			this.setup.prepare(requests);
			return layout;
		});
	}

	@Override
	public List<LeaseRegister> readAll() {
		return call((requests) -> this.registers.readAll(requests).stream().map(Register::shown).toList());
	}

	@Override
	public @Nullable LeaseRegister read(long workerId) {
		return call((requests) -> Optional.ofNullable(this.registers.read(requests, workerId))).map(Register::shown)
			.orElse(null);
	}

	@Override
	public OptionalLong write(long workerId, long version, WorkerLease lease) {
		return call((requests) -> {
			if (lease.isReleased()) {
				// before others can claim it, and announce themselves by the same label
				this.temporaryNodes.withdraw(requests, workerId);
			}
			OptionalLong written = (version == ABSENT) ? this.writer.create(requests, workerId, lease)
					: this.writer.update(requests, workerId, version, lease);
			if (written.isEmpty()) {
				this.temporaryNodes.withdraw(requests, workerId);
			}
			else if (!lease.isReleased()) {
				this.temporaryNodes.announce(requests, workerId, this.content.at(lease.reported()));
			}
			return written;
		});
	}

	@Override
	public OptionalLong newWorkerId() {
		return call(this.workerIds::next);
	}

	@Override
	public OptionalLong currentTime() {
		return call((requests) -> {
			SetDataResult touched = (SetDataResult) requests
				.await(requests.transaction(requests.setData(this.paths.leases(), ANY_VERSION, NOTHING)))
				.get(0);
			return OptionalLong.of(touched.getStat().getMtime());
		});
	}

	@Override
	public void whenBack(Runnable action) {
		this.connection.whenBack(action);
	}

	@Override
	public void close() {
		try {
			Requests requests = this.connection.requestsAtOnce();
			if (requests != null) {
				this.temporaryNodes.withdrawAll(requests);
				this.workerIds.removeOffered(requests);
			}
		}
		catch (KeeperException | WorkerLeaseStoreException ex) {
			log.warn("Not all nodes of this process could be removed from ZooKeeper: {}", ex.getMessage());
		}
		finally {
			this.connection.close();
		}
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
				// somebody has deleted a part of the tree, and nothing was done
				this.setup.prepare(requests);
				return work.apply(requests);
			}
		}
		catch (KeeperException ex) {
			throw this.connection.failures().translate(ex);
		}
	}

	private interface Work<T> {

		T apply(Requests requests) throws KeeperException;

	}

}
