// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import io.leaf.SegmentUnavailableException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Races between callers and the end of a fetch. After the number at a mark has been
 * drawn, a fetch must follow, and no caller may wait for a fetch that has ended.
 */
final class FetchRaces {

	private FetchRaces() {
	}

	/**
	 * A caller draws the number at the mark of a segment that has just been published,
	 * while the fetch of this segment ends. If the caller requests the next fetch before
	 * this fetch has ended, the request has no effect, so this fetch must see that the
	 * number at the mark has been drawn. If the caller requests it later, the request
	 * must start a fetch. In both cases, exactly one more segment is fetched, which is
	 * the second.
	 */
	@JCStressTest
	@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "one fetch follows")
	@Outcome(expect = Expect.FORBIDDEN, desc = "no fetch follows, or more than one")
	@State
	public static class MarkOfNewSegment {

		private final Tasks tasks = new Tasks();

		private final Blocks store = new Blocks(10);

		private final SegmentFetcher fetcher = new SegmentFetcher(
				new KeyAllocator("key", Sequences.MARK_FIRST, this.store, Sequences.environment(this.tasks)),
				Sequences.MARK_FIRST, Sequences.environment(this.tasks), () -> {
				});

		private final Segment tail = Segment.empty();

		public MarkOfNewSegment() {
			this.tasks.hold();
			this.fetcher.request(this.tail, 1);
		}

		@Actor
		public void fetch() {
			this.tasks.runNext();
		}

		@Actor
		public void caller() {
			Segment segment = this.tail.successor();
			while (segment == null) {
				Thread.onSpinWait();
				segment = this.tail.successor();
			}
			long id = segment.draw();
			if (id >= segment.limit() && segment.claimMark(id, id + 1)) {
				this.fetcher.request(segment, 0);
			}
		}

		@Arbiter
		public void fetches(I_Result result) {
			this.tasks.runAll();
			result.r1 = this.store.allocations();
		}

	}

	/**
	 * A caller finds no number left while the next segment arrives. The caller must see
	 * this segment or be woken. Its number is at the mark of the new segment, so exactly
	 * one more fetch follows, which is the third.
	 */
	@JCStressTest
	@Outcome(id = "2, 3", expect = Expect.ACCEPTABLE, desc = "the caller is woken, and one fetch follows")
	@Outcome(id = "0, .*", expect = Expect.FORBIDDEN, desc = "the caller is not woken")
	@Outcome(expect = Expect.FORBIDDEN, desc = "another number, or a wrong number of fetches")
	@State
	public static class Arrival {

		private final Tasks tasks = new Tasks();

		private final Blocks store = new Blocks(1, 10);

		private final KeySequence sequence = Sequences.preloaded(this.store, Sequences.MARK_FIRST, this.tasks);

		private volatile boolean answered;

		public Arrival() {
			this.tasks.hold();
			this.sequence.nextId();
		}

		@Actor
		public void caller(JJ_Result result) {
			result.r1 = Sequences.idOrNone(this.sequence);
			this.answered = true;
		}

		@Actor
		public void fetch() {
			this.tasks.runNext();
			// the caller may have submitted another task in the meantime
			while (!this.answered) {
				this.tasks.runAll();
				Thread.onSpinWait();
			}
		}

		@Arbiter
		public void fetches(JJ_Result result) {
			this.tasks.runAll();
			result.r2 = this.store.allocations();
		}

	}

	/**
	 * A caller waits for a fetch that the store refuses. The fetch ends, and another
	 * fetch continues it in the background. Whichever of the two the caller finds, it
	 * must get the refusal.
	 */
	@JCStressTest
	@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the caller gets the refusal")
	@Outcome(expect = Expect.FORBIDDEN, desc = "the caller is not woken")
	@State
	public static class Refusal {

		private final Tasks tasks = new Tasks();

		private final KeySequence sequence = new SegmentSequence("key", Blocks.refusing(), Sequences.MARK_FIRST,
				Sequences.environment(this.tasks),
				new KeyDirectory(Blocks.refusing(), Sequences.MARK_FIRST, Sequences.environment(this.tasks)));

		public Refusal() {
			this.tasks.hold();
			this.sequence.preload();
		}

		@Actor
		public void caller(I_Result result) {
			long start = System.nanoTime();
			try {
				this.sequence.nextId();
			}
			catch (SegmentUnavailableException ex) {
				// a caller that was not woken also gets the refusal, but too late
				boolean late = System.nanoTime() - start >= Sequences.PATIENCE.toNanos();
				result.r1 = (ex.getCause() instanceof SegmentStoreException && !late) ? 1 : 0;
			}
		}

		@Actor
		public void fetch() {
			this.tasks.runNext();
		}

	}

	/**
	 * A caller waits for a segment while the sequence is being closed. The wait must end.
	 */
	@JCStressTest
	@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the caller gets the exception of a closed sequence")
	@Outcome(expect = Expect.FORBIDDEN, desc = "the caller is not woken")
	@State
	public static class Close {

		private final Tasks tasks = new Tasks();

		private final KeySequence sequence = Sequences.preloaded(new Blocks(1, 10), Sequences.MARK_FIRST, this.tasks);

		public Close() {
			this.tasks.hold();
			this.sequence.nextId();
		}

		@Actor
		public void caller(I_Result result) {
			try {
				this.sequence.nextId();
			}
			catch (SegmentUnavailableException ex) {
				result.r1 = ex.getMessage().contains("closed") ? 1 : 0;
			}
		}

		@Actor
		public void close() {
			this.sequence.close();
		}

	}

}
