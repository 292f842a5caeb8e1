// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

/**
 * The buffer of a key with {@linkplain Ordering#STRIPED striped ordering}. Threads draw
 * from the short runs of numbers in {@link Stripes}.
 */
final class StripedSequence extends SegmentSequence {

	// A thread that finds its stripe used up takes the next run from the segment. If
	// another thread is refilling the stripe, or if less than a run is left in the
	// segment (after Segment.fence(), nothing is left), the thread instead draws a single
	// number, as with strict ordering. So no thread waits for another thread, and numbers
	// at the end of a segment are issued even if they do not fill a run.

	private final Stripes stripes = new Stripes();

	StripedSequence(String key, SegmentStore store, SegmentSettings settings, SegmentEnvironment environment,
			KeyDirectory directory) {
		super(key, store, settings, environment, directory);
	}

	@Override
	public long nextId() {
		int stripe = this.stripes.own();
		long id = this.stripes.draw(stripe);
		return (id != Stripes.NONE) ? id : nextIdBeyondRun(stripe);
	}

	private long nextIdBeyondRun(int stripe) {
		if (this.stripes.claim(stripe)) {
			Segment segment = current();
			long first = segment.drawRun();
			if (first != Segment.NONE) {
				this.stripes.fill(stripe, first + 1);
				prefetchAtMark(segment, first, Stripes.end(first));
				return first;
			}
			this.stripes.abandon(stripe);
		}
		return super.nextId();
	}

	@Override
	long tryNext() {
		int stripe = this.stripes.own();
		long id = this.stripes.draw(stripe);
		return (id != Stripes.NONE) ? id : tryNextBeyondRun(stripe);
	}

	private long tryNextBeyondRun(int stripe) {
		if (this.stripes.claim(stripe)) {
			Segment segment = current();
			long first = segment.drawRun();
			if (first != Segment.NONE) {
				this.stripes.fill(stripe, first + 1);
				prefetchAtMarkAsync(segment, first, Stripes.end(first));
				return first;
			}
			this.stripes.abandon(stripe);
		}
		return super.tryNext();
	}

	@Override
	long reclaim(long end) {
		return this.stripes.drain(end);
	}

	@Override
	long held() {
		return this.stripes.size();
	}

}
