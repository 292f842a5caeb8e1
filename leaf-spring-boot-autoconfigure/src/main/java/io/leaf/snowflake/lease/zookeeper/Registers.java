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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.leaf.snowflake.lease.zookeeper.ForeverNodes.ForeverNode;
import io.leaf.snowflake.lease.zookeeper.Register.Held;
import io.leaf.snowflake.lease.zookeeper.Requests.Children;
import io.leaf.snowflake.lease.zookeeper.Requests.Node;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/**
 * Reads registers.
 * <p>
 * Others write meanwhile, so the order of the reads matters. The listing of
 * {@code leases} comes before that of {@code forever}: a lease is created after its node
 * below {@code forever}, which the later listing therefore shows. The content of the node
 * below {@code forever} comes before that of the lease: a write in between makes the
 * lease the younger one, and nobody takes it for the write of a deployed Leaf server.
 */
final class Registers {

	/**
	 * How many registers are asked for at once. A server stops to listen to all clients
	 * when it has a thousand requests to answer.
	 */
	private static final int AT_ONCE = 128;

	private static final Pattern LEASE_NAME = Pattern.compile("0|[1-9]\\d{0,17}");

	private static final Pattern TEMPORARY_NAME = Pattern.compile(".*-(\\d{1,18})");

	private final TreePaths paths;

	private final Oddities oddities;

	private long maxWorkerId;

	private ForeverNodes forever = ForeverNodes.NONE;

	Registers(TreePaths paths, Oddities oddities) {
		this.paths = paths;
		this.oddities = oddities;
	}

	void maxWorkerId(long maxWorkerId) {
		this.maxWorkerId = maxWorkerId;
	}

	long maxWorkerId() {
		return this.maxWorkerId;
	}

	/**
	 * Reads all registers, in ascending order of the worker ID.
	 */
	List<Register> readAll(Requests requests) throws KeeperException {
		CompletableFuture<Boolean> sync = requests.sync(this.paths.root());
		CompletableFuture<Children> leases = requests.children(this.paths.leases());
		CompletableFuture<Children> forever = requests.children(this.paths.forever());
		CompletableFuture<Children> temporary = requests.children(this.paths.temporary());
		requests.await(sync);
		Set<Long> workerIds = leased(requests.await(leases));
		this.forever = foreverNodes(requests.await(forever));
		return load(requests, workerIds, announced(requests.await(temporary)));
	}

	/**
	 * Reads a register as the latest write left it.
	 * @return the register, or {@code null} if there is none
	 */
	@Nullable Register read(Requests requests, long workerId) throws KeeperException {
		CompletableFuture<Boolean> sync = requests.sync(this.paths.root());
		CompletableFuture<Optional<Node>> lease = requests.node(this.paths.lease(workerId));
		CompletableFuture<Children> forever = requests.children(this.paths.forever());
		CompletableFuture<Children> temporary = requests.children(this.paths.temporary());
		requests.await(sync);
		if (requests.await(lease).isEmpty()) {
			return null;
		}
		this.forever = foreverNodes(requests.await(forever));
		return first(load(requests, List.of(workerId), announced(requests.await(temporary))));
	}

	/**
	 * Reads a register in one round trip, from any server: writes of a moment ago may be
	 * missing.
	 * @return the register, or {@code null} if it takes more to read it
	 */
	@Nullable Register peek(Requests requests, long workerId) throws KeeperException {
		if (this.forever.numbered(workerId).size() != 1) {
			return null;
		}
		Register register = first(load(requests, List.of(workerId), Set.of()));
		return (register != null && register.forever() != null) ? register : null;
	}

	private static @Nullable Register first(List<Register> registers) {
		return registers.isEmpty() ? null : registers.get(0);
	}

	private List<Register> load(Requests requests, Collection<Long> workerIds, Set<Long> announced)
			throws KeeperException {
		List<Register> registers = new ArrayList<>();
		List<Pending> underWay = new ArrayList<>();
		for (long workerId : workerIds) {
			underWay.add(ask(requests, workerId));
			if (underWay.size() == AT_ONCE) {
				collect(requests, underWay, announced, registers);
			}
		}
		collect(requests, underWay, announced, registers);
		return registers;
	}

	private Pending ask(Requests requests, long workerId) {
		List<ForeverNode> names = this.forever.numbered(workerId);
		List<CompletableFuture<Optional<Node>>> nodes = names.stream()
			.map((name) -> requests.node(this.paths.forever(name.name())))
			.toList();
		return new Pending(workerId, names, nodes, requests.node(this.paths.lease(workerId)));
	}

	private void collect(Requests requests, List<Pending> underWay, Set<Long> announced, List<Register> registers)
			throws KeeperException {
		for (Pending one : underWay) {
			List<Held> held = new ArrayList<>();
			for (int i = 0; i < one.names().size(); i++) {
				ForeverNode name = one.names().get(i);
				requests.await(one.nodes().get(i)).ifPresent((node) -> held.add(new Held(name, node)));
			}
			requests.await(one.lease())
				.ifPresent((lease) -> registers.add(Register.of(one.workerId(), lease, held, this.forever.nextNumber(),
						announced.contains(one.workerId()), this.paths, this.oddities)));
		}
		underWay.clear();
	}

	private Set<Long> leased(Children leases) {
		Set<Long> workerIds = new TreeSet<>();
		for (String name : leases.names()) {
			OptionalLong workerId = LEASE_NAME.matcher(name).matches() ? OptionalLong.of(Long.parseLong(name))
					: OptionalLong.empty();
			if (workerId.isPresent() && workerId.getAsLong() <= this.maxWorkerId) {
				workerIds.add(workerId.getAsLong());
			}
			else {
				this.oddities.warn(this.paths.leases() + "/" + name,
						"is ignored, as its name is not a worker ID from 0 to " + this.maxWorkerId);
			}
		}
		return workerIds;
	}

	ForeverNodes foreverNodes(Children forever) {
		return ForeverNodes.of(forever, this.paths.forever(), this.oddities);
	}

	private Set<Long> announced(Children temporary) {
		Set<Long> workerIds = new HashSet<>();
		for (String name : temporary.names()) {
			Matcher matcher = TEMPORARY_NAME.matcher(name);
			if (matcher.matches()) {
				workerIds.add(Long.parseLong(matcher.group(1)));
			}
			else {
				this.oddities.warn(this.paths.temporary() + "/" + name,
						"is ignored, as its name is not a label, a dash and a worker ID");
			}
		}
		return workerIds;
	}

	private record Pending(long workerId, List<ForeverNode> names, List<CompletableFuture<Optional<Node>>> nodes,
			CompletableFuture<Optional<Node>> lease) {

	}

}
