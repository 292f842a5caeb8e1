// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.leaf.support.AsyncExecutor;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJJ_Result;

/**
 * Races between asynchronous calls and the allocations that serve them.
 */
final class CallRaces {

	private CallRaces() {
	}

	/**
	 * A call with global ordering is cancelled while numbers are allocated for it. Its
	 * number is issued or lost, or no number is allocated. The number is counted only
	 * once.
	 */
	@JCStressTest
	@Outcome(id = "true, 0, 0", expect = Expect.ACCEPTABLE, desc = "cancelled, and no number was allocated")
	@Outcome(id = "true, 0, 1", expect = Expect.ACCEPTABLE, desc = "cancelled, and its number is lost")
	@Outcome(id = "false, 1, 0", expect = Expect.ACCEPTABLE, desc = "served")
	@Outcome(expect = Expect.FORBIDDEN, desc = "the number was counted wrongly, or the call has not ended")
	@State
	public static class Cancelling {

		private final Tasks tasks = new Tasks();

		private final HeldSteps steps = new HeldSteps();

		private final SegmentEnvironment environment = Sequences.environment(this.tasks, this.steps);

		private final KeySequence sequence;

		private final CompletableFuture<Long> call;

		public Cancelling() {
			SegmentSettings settings = Sequences.settings(0, Ordering.GLOBAL);
			Blocks store = new Blocks(1);
			KeyDirectory directory = new KeyDirectory(store, settings, this.environment);
			this.sequence = directory.known("key");
			this.tasks.hold();
			this.call = this.sequence.nextIdAsync().toCompletableFuture();
			this.steps.runAll();
		}

		@Actor
		public void allocate() {
			this.tasks.runAll();
		}

		@Actor
		public void cancel() {
			this.steps.runAll();
			this.call.cancel(true);
			this.steps.runAll();
		}

		@Arbiter
		public void count(ZJJ_Result result) {
			this.steps.runAll();
			result.r1 = this.call.isCancelled();
			SegmentStatus.Numbers numbers = this.sequence.status().numbers();
			result.r2 = numbers.issued();
			result.r3 = numbers.lost();
		}

	}

	/**
	 * Holds all steps and runs them in the thread that calls {@link #runAll}. Never runs
	 * delayed steps.
	 */
	private static final class HeldSteps implements AsyncExecutor {

		private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();

		void runAll() {
			for (Runnable step = this.held.poll(); step != null; step = this.held.poll()) {
				step.run();
			}
		}

		@Override
		public void execute(Runnable step) {
			this.held.add(step);
		}

		@Override
		public Runnable schedule(Runnable step, long nanos) {
			return () -> {
			};
		}

		@Override
		public void complete(Runnable completion) {
			completion.run();
		}

		@Override
		public void close() {
		}

	}

}
