// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import io.leaf.IdGenerationException;
import io.leaf.IdSequence;
import io.leaf.it.faults.Progress.Number;
import io.leaf.it.faults.Progress.ThreadProgress;

/**
 * A thread that draws a batch of IDs, records it, and only then draws the next batch.
 * Half of a batch is drawn one by one, and half in one call.
 */
final class IdDrawer extends Thread {

	static final int BATCH = 50;

	private final IdSequence sequence;

	private final AtomicLong highest;

	private final IdRunWriter file;

	private final ThreadProgress progress;

	private final LongSupplier confirmed;

	private final long intervalNanos;

	private volatile boolean stopped;

	/**
	 * Creates a drawer.
	 * @param highest the largest ID that any thread of the process has got from the
	 * sequence
	 * @param interval the time from one batch to the next
	 */
	IdDrawer(IdSequence sequence, AtomicLong highest, IdRunWriter file, ThreadProgress progress, LongSupplier confirmed,
			Duration interval) {
		this.sequence = sequence;
		this.highest = highest;
		this.file = file;
		this.progress = progress;
		this.confirmed = confirmed;
		this.intervalNanos = interval.toNanos();
	}

	@Override
	public void run() {
		try (this.file) {
			while (!this.stopped) {
				long begin = System.nanoTime();
				for (int i = 0; i < BATCH / 2; i++) {
					draw(1);
				}
				draw(BATCH / 2);
				this.file.flush();
				this.progress.set(Number.CONFIRMED, this.confirmed.getAsLong());
				// never longer than the interval, even if the test has changed the clock
				LockSupport.parkNanos(Math.min(this.intervalNanos, begin + this.intervalNanos - System.nanoTime()));
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException("IDs cannot be recorded", ex);
		}
	}

	private void draw(int count) {
		long before = this.highest.get();
		try {
			if (count == 1) {
				take(before, this.sequence.nextId());
			}
			else {
				long last = before;
				for (long id : this.sequence.nextIds(count)) {
					take(last, id);
					last = id;
				}
			}
			this.progress.add(Number.IDS, count);
		}
		catch (IdGenerationException ex) {
			this.progress.add(Number.FAILURES, 1);
		}
	}

	private void take(long before, long id) {
		if (id <= before) {
			this.progress.add(Number.DESCENTS, 1);
		}
		this.file.add(id);
		this.highest.accumulateAndGet(id, Math::max);
	}

	/**
	 * Ends the thread after its current batch, and waits for it.
	 */
	void end() throws InterruptedException {
		this.stopped = true;
		join();
	}

}
