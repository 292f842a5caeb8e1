/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
	 * A caller asks for a key while the generator closes, and no task is run any more.
	 */
	@JCStressTest
	@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "told that the generator is closed")
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
