// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Callers that draw IDs continuously and ignore failures.
 */
final class Load implements AutoCloseable {

	private static final int TICKS_PER_SECOND = 20;

	/**
	 * How far the phase of the load advances per tick, in radians. A cycle takes 95
	 * seconds.
	 */
	private static final double PHASE_PER_TICK = 2 * Math.PI / (95 * TICKS_PER_SECOND);

	private final List<ScheduledExecutorService> callers = new CopyOnWriteArrayList<>();

	private @Nullable Process wrk;

	/**
	 * Starts a caller.
	 * @param generator the generator
	 * @param key the key
	 * @param perSecond the average number of IDs per second
	 */
	void draw(IdGenerator generator, String key, double perSecond) {
		// one thread per caller, because a caller waits while no ID is available
		ScheduledExecutorService caller = Executors.newSingleThreadScheduledExecutor();
		this.callers.add(caller);
		Random random = new Random(key.hashCode());
		double phase = 6 * random.nextDouble();
		// the number of ticks, and the fraction of an ID that is carried over
		double[] state = new double[2];
		caller.scheduleAtFixedRate(() -> {
			double time = phase + PHASE_PER_TICK * state[0]++;
			double factor = 1 + 0.2 * Math.sin(time) + 0.1 * Math.sin(3.7 * time);
			state[1] += perSecond / TICKS_PER_SECOND * factor * 2 * random.nextDouble();
			int count = (int) state[1];
			state[1] -= count;
			draw(generator, key, count);
		}, 0, 1000 / TICKS_PER_SECOND, TimeUnit.MILLISECONDS);
	}

	private static void draw(IdGenerator generator, String key, int count) {
		try {
			if (count > 0) {
				generator.nextIds(key, count);
			}
		}
		catch (IdGenerationException ex) {
			// the page shows the failure
		}
	}

	/**
	 * Requests IDs over HTTP with {@code wrk}, on two connections and as fast as the
	 * server responds.
	 * @param port the port of the API
	 * @param weights the relative frequencies of the keys, as {@code segment/order=420}
	 * @throws IOException if {@code wrk} is not installed; it is a Debian package
	 */
	void request(int port, List<String> weights) throws IOException {
		List<String> command = new ArrayList<>(
				List.of("wrk", "-t1", "-c2", "-d1h", "-s", "load/mixed.lua", "http://localhost:" + port, "--"));
		command.addAll(weights);
		this.wrk = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(new File("target/wrk.log"))
			.start();
	}

	@Override
	public void close() {
		if (this.wrk != null) {
			this.wrk.destroy();
		}
		this.callers.forEach(ScheduledExecutorService::shutdownNow);
	}

}
