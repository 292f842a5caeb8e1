// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.bucket4j.TimeMeter;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStore;
import io.leaf.server.ClientActivity;
import io.leaf.server.api.RangeServlet.RangeSettings;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import jakarta.servlet.http.HttpServlet;

/**
 * Gives the simulation access to the servlets of a Leaf server.
 */
public final class SimulatedServlets {

	private static final Clients ALL = new Clients(Map.of(), true, Set.of(), TimeMeter.SYSTEM_NANOTIME);

	private static final BodyMemory MEMORY = new BodyMemory(Integer.MAX_VALUE);

	private SimulatedServlets() {
	}

	/**
	 * Creates the servlet that hands out ranges.
	 * @param maxStep the maximum length of a range. If the step of the row is larger, the
	 * step is the maximum
	 * @param hasPeriod whether a key has a period
	 * @param createsRow whether a row may be added for a key
	 */
	public static HttpServlet ranges(SegmentIdGenerator generator, SegmentStore store, InstantSource clock,
			long maxStep, Predicate<String> hasPeriod, Predicate<String> createsRow) {
		return new RangeServlet(generator, store, new RangeSettings(maxStep, hasPeriod, createsRow), ALL,
				new ClientActivity(clock), MEMORY);
	}

	/**
	 * Creates the servlet that keeps lease records.
	 * @param factory creates a store for a {@code leaf.name}
	 */
	public static HttpServlet leases(Function<String, WorkerLeaseStore> factory, InstantSource clock) {
		return new LeaseServlet(factory, ALL, new ClientActivity(clock), MEMORY);
	}

}
