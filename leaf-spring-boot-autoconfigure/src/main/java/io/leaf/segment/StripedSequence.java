// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.function.Consumer;

/**
 * The buffer of one key whose threads draw from short runs of their own.
 */
final class StripedSequence extends SegmentSequence {

	// Whoever finds its stripe used up takes the next run from the segment. Where that is
	// not possible, because another thread does it at this moment, because less than a
	// run
	// is left, or because the segment has been fenced, the number comes straight from the
	// segment, as in strict order. So nobody waits for another thread, and all numbers of
	// a segment are used.

	private final Stripes stripes = new Stripes();

	StripedSequence(String key, SegmentStore store, SegmentSettings settings, SegmentEnvironment environment,
			Consumer<SegmentSequence> revival) {
		super(key, store, settings, environment, revival);
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
	long reclaim(long end) {
		return this.stripes.drain(end);
	}

	@Override
	long held() {
		return this.stripes.size();
	}

}
