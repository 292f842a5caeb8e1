// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.TimeoutException;

import io.leaf.segment.GlobalSequence.Call;
import io.leaf.segment.KeySequence.Waiting;
import io.leaf.support.AsyncCall;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous call for an ID: the caller does not block while the key is looked up or
 * numbers are allocated.
 */
final class KeyCall extends AsyncCall {

	private final String key;

	private final KeyDirectory directory;

	private final SegmentSettings settings;

	private @Nullable LookUp lookUp;

	private @Nullable KeySequence sequence;

	private @Nullable Waiting waiting;

	// the latch that this call waits for, and the task that continues this call when the
	// latch opens

	private @Nullable Latch awaited;

	private Runnable resumption = () -> {
	};

	private long awaitedSince;

	// the place of this call in the queue of a key with global ordering

	private @Nullable GlobalSequence queue;

	private @Nullable Call queued;

	KeyCall(String key, KeyDirectory directory, SegmentEnvironment environment, SegmentSettings settings) {
		super(environment.async(), settings.acquireTimeout());
		this.key = key;
		this.directory = directory;
		this.settings = settings;
	}

	@Override
	protected void attempt() {
		endWait();
		while (this.awaited == null) {
			KeySequence sequence = sequence();
			if (sequence == null) {
				return;
			}
			long id = sequence.attempt(this, waiting(sequence));
			if (id != KeySequence.NONE) {
				serve(id);
				return;
			}
		}
	}

	// returns null if this call has to wait for the look-up of its key
	private @Nullable KeySequence sequence() {
		KeySequence sequence = this.directory.find(this.key);
		LookUp lookUp = this.lookUp;
		if (lookUp == null && sequence != null && !sequence.isRemoved()) {
			return sequence;
		}
		if (lookUp == null) {
			lookUp = this.directory.lookUps().request(this.key);
			this.lookUp = lookUp;
		}
		if (!isExpired() && await(lookUp)) {
			return null;
		}
		this.lookUp = null;
		return this.directory.lookUps().result(lookUp, lookUp.isOpen() ? null : timeout());
	}

	private Waiting waiting(KeySequence sequence) {
		Waiting waiting = this.waiting;
		if (waiting == null) {
			waiting = sequence.new Waiting();
			this.waiting = waiting;
			this.sequence = sequence;
		}
		return waiting;
	}

	boolean isOver() {
		return isExpired();
	}

	TimeoutException timeout() {
		return SegmentEnvironment.timeout(this.settings.acquireTimeout());
	}

	/**
	 * Makes this call wait for a latch, unless the latch is already open.
	 */
	void await(Latch latch, Waiting waiting) {
		this.awaitedSince = waiting.begin();
		await(latch);
	}

	// returns whether this call waits
	private boolean await(Latch latch) {
		this.resumption = resumption();
		this.awaited = latch.whenOpened(this.resumption) ? latch : null;
		return this.awaited != null;
	}

	private void endWait() {
		Latch latch = this.awaited;
		if (latch != null) {
			this.awaited = null;
			latch.forget(this.resumption);
			if (this.waiting != null && latch != this.lookUp) {
				this.waiting.end(this.awaitedSince);
			}
		}
	}

	@Nullable Call queued() {
		return this.queued;
	}

	/**
	 * Records the place of this call in a queue.
	 */
	void queued(GlobalSequence queue, Call queued) {
		this.queue = queue;
		this.queued = queued;
	}

	/**
	 * Leaves the queue, if this call is in a queue.
	 * @return the number that was issued to this call, or {@link KeySequence#NONE} if no
	 * number was issued
	 */
	long withdraw() {
		GlobalSequence queue = this.queue;
		Call queued = this.queued;
		this.queued = null;
		return (queue != null && queued != null) ? queue.withdraw(queued) : KeySequence.NONE;
	}

	@Override
	protected void ended() {
		endWait();
		if (this.lookUp != null) {
			this.lookUp.countDown();
		}
		if (withdraw() != KeySequence.NONE) {
			undelivered();
		}
	}

	@Override
	protected void undelivered() {
		if (this.sequence != null) {
			this.sequence.undelivered();
		}
	}

}
