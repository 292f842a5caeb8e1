// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.List;

import io.leaf.server.api.SimulatedServlets;
import jakarta.servlet.http.HttpServlet;

/**
 * A Leaf server that gives its clients access to the lease records, and issues no IDs.
 */
final class LeaseServerProcess extends IssuingProcess {

	private final LeaseWorld world;

	LeaseServerProcess(LeaseWorld world, Process process) {
		super(process, List.of(world.records()), world.faults());
		this.world = world;
	}

	/**
	 * Returns the servlet that answers requests.
	 */
	HttpServlet servlet() {
		return SimulatedServlets.leases(
				(name) -> new SimulatedLeaseStore(process(), this.world.records(), link(), this.world.faults()),
				process().wallClock());
	}

	@Override
	void open() {
	}

	@Override
	void close() {
	}

	@Override
	Object status() {
		return "a Leaf server";
	}

}
