// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import io.leaf.IdSequence;
import io.leaf.Requests;
import org.jspecify.annotations.Nullable;

/**
 * The sequence of a key whose row had not been seen when it was asked for: it finds the
 * real one at the first ID.
 */
final class DeferredSequence implements IdSequence {

	private final String key;

	private final KeyDirectory directory;

	private volatile @Nullable SegmentSequence sequence;

	DeferredSequence(String key, KeyDirectory directory) {
		this.key = key;
		this.directory = directory;
	}

	@Override
	public String key() {
		return this.key;
	}

	@Override
	public long nextId() {
		return sequence().nextId();
	}

	@Override
	public long[] nextIds(int count) {
		Requests.checkCount(count);
		return sequence().nextIds(count);
	}

	private SegmentSequence sequence() {
		SegmentSequence sequence = this.sequence;
		if (sequence == null) {
			sequence = this.directory.known(this.key);
			this.sequence = sequence;
		}
		return sequence;
	}

}
