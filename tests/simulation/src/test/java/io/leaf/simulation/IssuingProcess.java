// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.leaf.IdGenerationException;

/**
 * A process that issues IDs to callers.
 */
abstract class IssuingProcess {

	private static final long LONGEST_SHUTDOWN = TimeUnit.SECONDS.toNanos(3);

	private final Process process;

	private final Faults faults;

	private final List<Link> links;

	private final SimulatedExecutor main;

	private final List<Caller> callers = new ArrayList<>();

	private boolean started;

	private boolean stopping;

	/**
	 * Creates a process.
	 * @param servers the servers to which it has connections
	 */
	IssuingProcess(Process process, List<? extends Server> servers, Faults faults) {
		this.process = process;
		this.faults = faults;
		this.links = servers.stream().map((server) -> new Link(process, server, faults)).toList();
		this.main = new SimulatedExecutor(process, World.Role.MAIN, 1);
	}

	/**
	 * Starts the library, like the startup of an application.
	 * @throws IdGenerationException if the application does not start
	 */
	abstract void open();

	/**
	 * Closes the library, like the graceful shutdown of an application.
	 */
	abstract void close();

	/**
	 * Returns the state of the library, for the trace.
	 */
	abstract Object status();

	final void add(Caller caller) {
		this.callers.add(caller);
	}

	final void start() {
		this.main.execute(() -> {
			try {
				open();
				this.started = true;
				this.process.trace("started: " + status());
				this.callers.forEach(Caller::begin);
			}
			catch (IdGenerationException ex) {
				this.process.trace("not started: " + ex.getMessage());
				this.process.kill();
			}
			catch (RuntimeException | LinkageError ex) {
				this.process.world().violated("unexpected: " + ex + " at " + Arrays.toString(ex.getStackTrace()));
			}
		});
	}

	/**
	 * Shuts the process down gracefully. After the library, the application closes other
	 * components, while its callers still request IDs.
	 * @param ended the action after the process has ended
	 */
	final void stop(Runnable ended) {
		this.stopping = true;
		this.main.execute(() -> {
			this.process.trace("stops");
			close();
			this.process.hold(this.faults.duration(LONGEST_SHUTDOWN));
			this.process.kill();
			ended.run();
		});
	}

	/**
	 * Returns whether the process has started, even if it is shutting down.
	 */
	final boolean isStarted() {
		return this.process.isAlive() && this.started;
	}

	/**
	 * Returns whether the process has started and is not shutting down.
	 */
	final boolean isServing() {
		return isStarted() && !this.stopping;
	}

	final Process process() {
		return this.process;
	}

	final Link link() {
		return this.links.get(0);
	}

	final List<Link> links() {
		return this.links;
	}

	final List<Caller> callers() {
		return this.callers;
	}

}
