// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import io.leaf.SegmentUnavailableException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * Callers that look keys up against the end of a batch, and against closing. A wake-up is
 * lost if a key is added to a batch that is never read.
 */
final class LookUpRaces {

	private LookUpRaces() {
	}

	/**
	 * Looks a key up.
	 * @return whether the caller was answered, be it that the generator is closed
	 */
	private static boolean isAnswered(KeyDirectory keys, String key) {
		try {
			return keys.lookUp(key).key().equals(key);
		}
		catch (SegmentUnavailableException ex) {
			return ex.getMessage().endsWith("shutting down");
		}
	}

	/**
	 * Two callers ask for a key each. One reads a batch, with the other's key or without
	 * it; in the second case a further batch must follow, read by either of them.
	 */
	@JCStressTest
	@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both are answered")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not woken")
	@State
	public static class NextBatch {

		private final KeyDirectory keys = new KeyDirectory(new Blocks(10), Sequences.MARK_FIRST,
				Sequences.environment(new Tasks()));

		@Actor
		public void first(ZZ_Result result) {
			result.r1 = isAnswered(this.keys, "first");
		}

		@Actor
		public void second(ZZ_Result result) {
			result.r2 = isAnswered(this.keys, "second");
		}

	}

	/**
	 * A caller requests a key while the generator closes, and tasks no longer run.
	 */
	@JCStressTest
	@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "gets the exception of a closed generator")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not woken")
	@State
	public static class Closing {

		private final Tasks tasks = new Tasks();

		private final KeyDirectory keys = new KeyDirectory(new Blocks(10), Sequences.MARK_FIRST,
				Sequences.environment(this.tasks));

		public Closing() {
			this.tasks.hold();
		}

		@Actor
		public void caller(Z_Result result) {
			result.r1 = isAnswered(this.keys, "key");
		}

		@Actor
		public void close() {
			this.keys.close();
		}

	}

}
