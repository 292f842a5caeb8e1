// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.atomic.AtomicInteger;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/**
 * Races between the thread that opens a latch and calls that wait for the latch. A call
 * that neither side resumes would only end at its timeout.
 */
final class LatchRaces {

	private LatchRaces() {
	}

	/**
	 * A call begins to wait for a latch while the latch is being opened.
	 */
	@JCStressTest
	@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "resumed by the thread that opens the latch")
	@Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "continues by itself")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not resumed, or resumed twice")
	@State
	public static class Opening {

		private final Latch latch = new Latch();

		private final AtomicInteger resumed = new AtomicInteger();

		@Actor
		public void call(ZI_Result result) {
			result.r1 = this.latch.whenOpened(this.resumed::incrementAndGet);
		}

		@Actor
		public void open() {
			this.latch.countDown();
		}

		@Arbiter
		public void count(ZI_Result result) {
			result.r2 = this.resumed.get();
		}

	}

	/**
	 * Two threads open a latch at the same time, like the end of a fetch and the closing
	 * of the sequence.
	 */
	@JCStressTest
	@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "resumed once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not resumed, or resumed twice")
	@State
	public static class OpeningTwice {

		private final Latch latch = new Latch();

		private final AtomicInteger resumed = new AtomicInteger();

		private final boolean waits = this.latch.whenOpened(this.resumed::incrementAndGet);

		@Actor
		public void end() {
			this.latch.countDown();
		}

		@Actor
		public void close() {
			this.latch.countDown();
		}

		@Arbiter
		public void count(ZI_Result result) {
			result.r1 = this.waits;
			result.r2 = this.resumed.get();
		}

	}

}
