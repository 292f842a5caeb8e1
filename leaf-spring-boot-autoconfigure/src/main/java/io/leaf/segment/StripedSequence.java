// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

/**
 * The buffer of one key if each thread draws from a short run of numbers of its own.
 */
final class StripedSequence extends SegmentSequence {

	// A thread that finds its stripe used up takes the next run from the segment. If that
	// is not possible, because another thread is doing it at this moment, because less
	// than a run is left, or because the segment has been fenced, the number comes
	// directly from the segment, as in strict order. So no thread waits for another one,
	// and all numbers of a segment are used.

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
