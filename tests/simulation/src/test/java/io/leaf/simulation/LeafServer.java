// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import jakarta.servlet.http.HttpServlet;
import org.jspecify.annotations.Nullable;

import org.springframework.mock.web.MockHttpServletResponse;

/**
 * The address of a Leaf server. One process at a time listens there, and each process
 * starts with empty memory.
 */
final class LeafServer extends Server {

	private static final int THREADS = 4;

	private static final long LONGEST_HOLD_UP = TimeUnit.SECONDS.toNanos(10);

	private final String name;

	private int starts;

	private boolean starting;

	private @Nullable IssuingProcess listener;

	private @Nullable HttpServlet servlet;

	private @Nullable SimulatedExecutor threads;

	private @Nullable Faults faults;

	private @Nullable Exchange served;

	LeafServer(int number) {
		this.name = "s" + number;
	}

	URI url() {
		return URI.create("http://" + this.name);
	}

	/**
	 * Returns the name of the process that will listen next, and that is being created.
	 */
	String nextName() {
		this.starting = true;
		return this.name + "." + this.starts++;
	}

	/**
	 * Returns the names of all processes that have listened.
	 */
	List<String> names() {
		return IntStream.range(0, this.starts).mapToObj((number) -> this.name + "." + number).toList();
	}

	/**
	 * Returns the process that listened last, or {@code null} if none has.
	 */
	@Nullable IssuingProcess listener() {
		return this.listener;
	}

	/**
	 * Returns whether a process is or will be listening.
	 */
	boolean isOccupied() {
		return this.starting || (this.listener != null && this.listener.process().isAlive());
	}

	/**
	 * Starts a process, which listens until it ends.
	 * @param servlet the servlet that answers requests
	 */
	void listen(IssuingProcess process, HttpServlet servlet, Faults faults) {
		this.starting = false;
		this.listener = process;
		this.servlet = servlet;
		this.faults = faults;
		this.threads = new SimulatedExecutor(process.process(), World.Role.SERVER, THREADS);
		process.start();
	}

	/**
	 * Called when a request arrives.
	 */
	void accept(Exchange exchange) {
		IssuingProcess process = this.listener;
		if (process == null || !process.isStarted()) {
			exchange.refuse();
			return;
		}
		HttpServlet servlet = this.servlet;
		exchange.received(process.process());
		this.threads.execute(() -> serve(exchange, process.process(), servlet));
	}

	private void serve(Exchange exchange, Process process, HttpServlet servlet) {
		Exchange before = this.served;
		this.served = exchange;
		try {
			if (this.faults.happens(Fault.THREAD_HELD_UP)) {
				process.hold(this.faults.duration(LONGEST_HOLD_UP));
			}
			MockHttpServletResponse answer = new MockHttpServletResponse();
			servlet.service(exchange.request(), answer);
			process.check();
			exchange.answer(answer);
			if (process.world().trace().isKept()) {
				process.trace("%s -> %d %s".formatted(exchange, answer.getStatus(), answer.getContentAsString()));
			}
		}
		catch (Process.Crash ex) {
			// the server was killed
		}
		catch (Exception | LinkageError ex) {
			process.world().violated("unexpected: " + ex + " at " + Arrays.toString(ex.getStackTrace()));
		}
		finally {
			this.served = before;
		}
	}

	/**
	 * Returns the request that is being served.
	 */
	@Nullable Exchange served() {
		return this.served;
	}

}
