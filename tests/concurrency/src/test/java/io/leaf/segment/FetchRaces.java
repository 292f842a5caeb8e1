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
 * The end of a fetch against callers. A wake-up is lost if a mark has been drawn and no
 * fetch follows, or if a caller waits for a fetch that has ended.
 */
final class FetchRaces {

	private FetchRaces() {
	}

	/**
	 * A caller draws the mark of a segment that has just been published, while the fetch
	 * that brought it ends. Before the fetch has ended the caller's request is turned
	 * away, so the fetch must see that the mark has been drawn; from then on the caller's
	 * request must be let through. Either way one segment more is fetched, the second
	 * one.
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
	 * A caller finds no number left while the segment it needs arrives: it must see the
	 * segment, or be woken. Its number is the mark of the new segment, so one further
	 * fetch follows, the third.
	 */
	@JCStressTest
	@Outcome(id = "2, 3", expect = Expect.ACCEPTABLE, desc = "woken, and one fetch follows")
	@Outcome(id = "0, .*", expect = Expect.FORBIDDEN, desc = "not woken")
	@Outcome(expect = Expect.FORBIDDEN, desc = "another number, no fetch or more than one")
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
			// the caller may have handed over a further one meanwhile
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
	 * A caller waits for a fetch that the store refuses. The fetch ends and another one
	 * continues it in the background: the caller must get the refusal, whichever of the
	 * two it finds.
	 */
	@JCStressTest
	@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "gets the refusal")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not woken")
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
				// a caller that was not woken also finds the refusal, but late
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
	 * A caller waits for a segment while the generator is closed: the wait must end.
	 */
	@JCStressTest
	@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "told of the close")
	@Outcome(expect = Expect.FORBIDDEN, desc = "not woken")
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
