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
import java.util.Set;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.OpResult.SetDataResult;
import org.jspecify.annotations.Nullable;

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
 * Made for one call at a time, on whichever thread. A call waits up to a second for a
 * connection ({@link #open} for as long as the connection timeout), and for each answer
 * until ZooKeeper gives the connection up, at two thirds of the session timeout.
 */
public final class ZooKeeperWorkerLeaseStore implements WorkerLeaseStore {

	private static final byte[] NOTHING = new byte[0];

	private static final int ANY_VERSION = -1;

	private final Connection connection;

	private final TreePaths paths;

	private final TreeSetup setup;

	private final Registers registers;

	private final WorkerIds workerIds;

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
		this.workerIds = new WorkerIds(this.paths, host, port);
		this.registers = new Registers(this.paths, this.workerIds);
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
		return call(this.registers::readAll);
	}

	@Override
	public @Nullable LeaseRegister read(long workerId) {
		return call((requests) -> Optional.ofNullable(this.registers.read(requests, workerId))).orElse(null);
	}

	@Override
	public boolean write(long workerId, long version, WorkerLease lease) {
		return call((requests) -> (version == ABSENT) ? this.registers.create(requests, workerId, lease)
				: this.registers.update(requests, workerId, version, lease));
	}

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		return call((requests) -> this.workerIds.next(requests, this.registers.maxWorkerId(), except));
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
