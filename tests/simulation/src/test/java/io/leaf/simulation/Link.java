// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;

/**
 * The connection between a process and a server, which delays and loses requests.
 */
final class Link {

	private static final long ROUND_TRIP = TimeUnit.MILLISECONDS.toNanos(40);

	private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(4);

	private static final long LONGEST_DELAY = TimeUnit.MINUTES.toNanos(2);

	private final Process process;

	private final Faults faults;

	private final Server server;

	private boolean cut;

	Link(Process process, Server server, Faults faults) {
		this.process = process;
		this.server = server;
		this.faults = faults;
	}

	/**
	 * Cuts or restores the link.
	 */
	void cut(boolean isCut) {
		this.cut = isCut;
	}

	/**
	 * Sends a request to the server.
	 * @param what the kind of request
	 * @param about its subject, for the trace
	 * @param effect the action of the server when the request arrives
	 * @throws LostAnswer if no answer arrives, whether or not the request has taken
	 * effect
	 */
	<T> T read(String what, Object about, Supplier<T> effect) {
		return ask(what, about, effect, false);
	}

	/**
	 * Sends a request that changes something to the server.
	 * @see #read
	 */
	<T> T write(String what, Object about, Supplier<T> effect) {
		return ask(what, about, effect, true);
	}

	private <T> T ask(String what, Object about, Supplier<T> effect, boolean write) {
		this.process.check();
		RandomSource random = this.process.world().random();
		if (this.faults.areOver()) {
			return effect.get();
		}
		this.process.hold(random.upTo(ROUND_TRIP));
		if (isUnavailable() || this.faults.happens(Fault.REQUEST_LOST)) {
			throw lost(what, about, "did not arrive");
		}
		if (write && this.faults.happens(Fault.WRITE_DELAYED)) {
			this.process.world().in(random.upTo(LONGEST_DELAY), () -> arriveLate(what, about, effect));
			throw lost(what, about, "is delayed");
		}
		T answer = arrive(what, about, effect);
		this.process.hold(random.upTo(ROUND_TRIP));
		if (isUnavailable() || this.faults.happens(Fault.ANSWER_LOST)) {
			throw lost(what, about, "was not answered");
		}
		return answer;
	}

	private <T> T arrive(String what, Object about, Supplier<T> effect) {
		T answer = effect.get();
		if (this.process.world().trace().isKept()) {
			this.process.trace(what + " " + about + " -> " + answer);
		}
		return answer;
	}

	private void arriveLate(String what, Object about, Supplier<?> effect) {
		try {
			arrive("late " + what, about, effect);
		}
		catch (IdGenerationException ex) {
			this.process.trace("late " + what + " " + about + " is refused");
		}
	}

	private boolean isUnavailable() {
		return this.cut || this.server.isDown();
	}

	private LostAnswer lost(String what, Object about, String how) {
		if (this.process.world().trace().isKept()) {
			this.process.trace(what + " " + about + " " + how);
		}
		this.process.hold(this.process.world().random().upTo(TIMEOUT));
		return new LostAnswer(what + " " + how);
	}

	/**
	 * Thrown if no answer arrived.
	 */
	static final class LostAnswer extends RuntimeException {

		private static final long serialVersionUID = 1L;

		LostAnswer(String message) {
			super(message, null, false, false);
		}

	}

}
