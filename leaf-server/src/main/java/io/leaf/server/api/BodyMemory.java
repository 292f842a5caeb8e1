// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.leaf.server.api.RefusedException.Reason;

/**
 * Limits the memory that large bodies of requests or responses occupy at the same time. A
 * response is in memory until the client has read it, and memory for the parameters of a
 * request is allocated before the client has sent them. Without a limit, clients that
 * send or read slowly could use up the memory of the server.
 * <p>
 * Safe for use by any number of threads.
 */
final class BodyMemory {

	/**
	 * The size up to which the bodies of a request are not counted. An open connection
	 * needs several times as much memory, and the number of connections is limited.
	 */
	static final int SMALL = 4096;

	/**
	 * How many bodies may wait for memory at the same time. They are not counted
	 * meanwhile, although they may already be in memory.
	 */
	static final int MAX_WAITING = 4;

	private final int max;

	private final Semaphore free;

	private final Semaphore waiting = new Semaphore(MAX_WAITING);

	/**
	 * Creates an instance.
	 * @param max how many bytes large bodies may occupy
	 */
	BodyMemory(long max) {
		this.max = (int) Math.min(max, Integer.MAX_VALUE);
		this.free = new Semaphore(this.max);
	}

	/**
	 * Reserves memory for a body. Does not wait.
	 * @param bytes the size of the body
	 * @return what to {@link #release} when the body is no longer in memory
	 * @throws RefusedException if other bodies occupy the memory
	 */
	int reserve(long bytes) {
		return reserve(bytes, Duration.ZERO);
	}

	/**
	 * Reserves memory for a body.
	 * @param bytes the size of the body
	 * @param patience how long to wait until other bodies have released their memory
	 * @return what to {@link #release} when the body is no longer in memory
	 * @throws RefusedException if other bodies occupy the memory, and have not released
	 * it in time or enough other bodies already wait
	 */
	int reserve(long bytes, Duration patience) {
		// a body that is larger than the limit must wait until it is the only one
		int counted = (bytes > SMALL) ? (int) Math.min(bytes, this.max) : 0;
		if (!this.free.tryAcquire(counted) && !await(counted, patience)) {
			throw new RefusedException(Reason.UNAVAILABLE,
					"The request needs about %,d bytes, but bodies of other requests and responses occupy the memory that the server has for them (%,d bytes). Repeat the request, or request less at once. If this happens often, give the server more memory (-Xmx)"
						.formatted(bytes, this.max));
		}
		return counted;
	}

	private boolean await(int bytes, Duration patience) {
		if (patience.isZero() || !this.waiting.tryAcquire()) {
			return false;
		}
		try {
			return this.free.tryAcquire(bytes, patience.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		finally {
			this.waiting.release();
		}
	}

	/**
	 * Releases reserved memory.
	 * @param reserved what {@link #reserve} has returned
	 */
	void release(int reserved) {
		this.free.release(reserved);
	}

}
