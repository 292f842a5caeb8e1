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
 * Calls that are to be resumed by the opening of a latch, against that opening. A call
 * that is resumed by neither side would end at its timeout only.
 */
final class LatchRaces {

	private LatchRaces() {
	}

	/**
	 * A call waits for a latch that is being opened.
	 */
	@JCStressTest
	@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "resumed by the thread that opens the latch")
	@Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "continues by itself")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not resumed, or twice")
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
	 * A latch is opened by two threads at once, as by the end of a fetch and by closing.
	 */
	@JCStressTest
	@Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "resumed once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not resumed, or twice")
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
