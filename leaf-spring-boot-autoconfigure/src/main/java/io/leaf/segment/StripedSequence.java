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
		Segment segment = current();
		long first = drawRun(stripe, segment);
		if (first != Segment.NONE) {
			prefetchAtMark(segment, first, Stripes.end(first));
			return first;
		}
		return super.nextId();
	}

	private long drawRun(int stripe, Segment segment) {
		if (!this.stripes.claim(stripe)) {
			return Segment.NONE;
		}
		long first = segment.drawRun();
		if (first != Segment.NONE) {
			this.stripes.fill(stripe, first + 1);
		}
		else {
			this.stripes.abandon(stripe);
		}
		return first;
	}

	@Override
	long tryNext() {
		int stripe = this.stripes.own();
		long id = this.stripes.draw(stripe);
		if (id != Stripes.NONE) {
			return id;
		}
		Segment segment = current();
		long first = drawRun(stripe, segment);
		if (first != Segment.NONE) {
			prefetchAtMarkAsync(segment, first, Stripes.end(first));
			return first;
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
