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
 * Callers who draw IDs steadily, and do not mind when there are none.
 */
final class Load implements AutoCloseable {

	private static final int TICKS_A_SECOND = 20;

	/**
	 * In which rhythm the load goes up and down, in radians a tick.
	 */
	private static final double RHYTHM = 2 * Math.PI / (95 * TICKS_A_SECOND);

	private final List<ScheduledExecutorService> callers = new CopyOnWriteArrayList<>();

	private @Nullable Process wrk;

	/**
	 * Begins to draw.
	 * @param generator where from
	 * @param key which key
	 * @param perSecond how many IDs a second on average
	 */
	void draw(IdGenerator generator, String key, double perSecond) {
		// a thread for each, since who finds no ID waits
		ScheduledExecutorService caller = Executors.newSingleThreadScheduledExecutor();
		this.callers.add(caller);
		Random random = new Random(key.hashCode());
		double phase = 6 * random.nextDouble();
		// ticks, and what is left of a number
		double[] state = new double[2];
		caller.scheduleAtFixedRate(() -> {
			double time = phase + RHYTHM * state[0]++;
			double tide = 1 + 0.2 * Math.sin(time) + 0.1 * Math.sin(3.7 * time);
			state[1] += perSecond / TICKS_A_SECOND * tide * 2 * random.nextDouble();
			int count = (int) state[1];
			state[1] -= count;
			draw(generator, key, count);
		}, 0, 1000 / TICKS_A_SECOND, TimeUnit.MILLISECONDS);
	}

	private static void draw(IdGenerator generator, String key, int count) {
		try {
			if (count > 0) {
				generator.nextIds(key, count);
			}
		}
		catch (IdGenerationException ex) {
			// the page shows why
		}
	}

	/**
	 * Has {@code wrk} ask over HTTP, on two connections and as fast as it is answered.
	 * @param port where the API listens
	 * @param weights how often the keys are asked for, as {@code segment/order=420}
	 * @throws IOException if there is no {@code wrk}; it is a package of Debian's
	 */
	void ask(int port, List<String> weights) throws IOException {
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
