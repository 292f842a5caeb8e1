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
 * Races between callers that look up keys and the end of a batch, and between such a
 * caller and closing. If the request of a caller joined a batch that is never read, the
 * caller would not be woken.
 */
final class LookUpRaces {

	private LookUpRaces() {
	}

	/**
	 * Looks up a key.
	 * @return whether the caller got an answer. The exception of a closed generator is
	 * also an answer
	 */
	private static boolean isAnswered(KeyDirectory keys, String key) {
		try {
			return keys.lookUps().lookUp(key).key().equals(key);
		}
		catch (SegmentUnavailableException ex) {
			return ex.getMessage().endsWith("shutting down");
		}
	}

	/**
	 * Two callers look up one key each. One caller reads a batch, which may or may not
	 * contain the key of the other caller. If it does not, one of the callers must read a
	 * further batch.
	 */
	@JCStressTest
	@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both callers get an answer")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a caller is not woken")
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
	 * A caller looks up a key while the generator is being closed and no longer runs
	 * tasks.
	 */
	@JCStressTest
	@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "the caller gets the exception of a closed generator")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a caller is not woken")
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
