// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.CompletionStage;

import io.leaf.IdSequence;
import io.leaf.support.IdArguments;
import org.jspecify.annotations.Nullable;

/**
 * A sequence that was requested before this process had read the row of its key. Each
 * request for IDs looks for the {@link KeySequence} of the key until it has been found.
 * From then on, all requests are delegated to that {@link KeySequence}.
 */
final class DeferredSequence implements IdSequence {

	private final String key;

	private final KeyDirectory directory;

	private volatile @Nullable KeySequence sequence;

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
	public CompletionStage<Long> nextIdAsync() {
		KeySequence sequence = this.sequence;
		if (sequence == null) {
			sequence = this.directory.find(this.key);
			this.sequence = sequence;
		}
		return (sequence != null) ? sequence.nextIdAsync() : this.directory.nextIdAsync(this.key);
	}

	@Override
	public long[] nextIds(int count) {
		IdArguments.checkCount(count);
		return sequence().nextIds(count);
	}

	private KeySequence sequence() {
		if (this.sequence == null) {
			this.sequence = this.directory.known(this.key);
		}
		return this.sequence;
	}

}
