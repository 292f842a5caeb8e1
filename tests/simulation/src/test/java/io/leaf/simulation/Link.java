// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.leaf.IdGenerationException;

/**
 * What lies between a process and a store: it takes time, and loses things.
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
	 * Cuts the link, or mends it.
	 */
	void cut(boolean isCut) {
		this.cut = isCut;
	}

	/**
	 * Asks the store something.
	 * @param what what is asked, and
	 * @param about what about, for the trace
	 * @param effect what the store does when the request arrives
	 * @throws LostAnswer if no answer comes back, whatever has become of the request
	 */
	<T> T read(String what, Object about, Supplier<T> effect) {
		return ask(what, about, effect, false);
	}

	/**
	 * Asks the store to change something.
	 * @see #read
	 */
	<T> T write(String what, Object about, Supplier<T> effect) {
		return ask(what, about, effect, true);
	}

	private <T> T ask(String what, Object about, Supplier<T> effect, boolean write) {
		this.process.check();
		Dice dice = this.process.world().dice();
		if (this.faults.areOver()) {
			return effect.get();
		}
		this.process.hold(dice.upTo(ROUND_TRIP));
		if (isAway() || this.faults.happens(Fault.REQUEST_LOST)) {
			throw lost(what, about, "did not arrive");
		}
		if (write && this.faults.happens(Fault.WRITE_DELAYED)) {
			this.process.world().in(dice.upTo(LONGEST_DELAY), () -> arriveLate(what, about, effect));
			throw lost(what, about, "is delayed");
		}
		T answer = arrive(what, about, effect);
		this.process.hold(dice.upTo(ROUND_TRIP));
		if (isAway() || this.faults.happens(Fault.ANSWER_LOST)) {
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

	private boolean isAway() {
		return this.cut || this.server.isDown();
	}

	private LostAnswer lost(String what, Object about, String how) {
		if (this.process.world().trace().isKept()) {
			this.process.trace(what + " " + about + " " + how);
		}
		this.process.hold(this.process.world().dice().upTo(TIMEOUT));
		return new LostAnswer(what + " " + how);
	}

	/**
	 * Says that no answer came back.
	 */
	static final class LostAnswer extends RuntimeException {

		private static final long serialVersionUID = 1L;

		LostAnswer(String message) {
			super(message, null, false, false);
		}

	}

}
