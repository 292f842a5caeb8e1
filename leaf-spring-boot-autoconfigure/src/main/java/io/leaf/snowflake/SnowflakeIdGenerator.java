// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.Requests;

/**
 * Issues snowflake IDs: the time, the worker ID of this process, and a sequence. All keys
 * share one sequence of IDs, so an ID is unique among the IDs of all keys.
 * <p>
 * With one worker ID the IDs are strictly increasing within the process. With several
 * ({@link SnowflakeSettings#maxLanes()}) those of each worker ID are, and all of them by
 * trend: each thread has a worker ID that it draws from, and takes from the others what
 * that one cannot give.
 * <p>
 * Safe for use by any number of threads, and without a lock. A caller waits, parked, only
 * where more IDs are asked for than the layout has, or where the lease on the worker ID
 * has run out.
 */
public final class SnowflakeIdGenerator implements IdGenerator {

	private final SnowflakeLanes lanes;

	/**
	 * Creates a generator.
	 * @param lanes where IDs are drawn; they are opened and closed by the keeper of the
	 * leases
	 */
	public SnowflakeIdGenerator(SnowflakeLanes lanes) {
		this.lanes = lanes;
	}

	@Override
	public long nextId(String key) {
		Requests.checkKey(key);
		return this.lanes.next();
	}

	@Override
	public long[] nextIds(String key, int count) {
		Requests.checkKey(key);
		Requests.checkCount(count);
		return this.lanes.next(count);
	}

	@Override
	public IdSequence sequence(String key) {
		return new SnowflakeSequence(Requests.checkKey(key), this.lanes);
	}

	/**
	 * Returns how IDs are divided.
	 * @return the layout
	 */
	public SnowflakeLayout layout() {
		return this.lanes.settings().layout();
	}

	private record SnowflakeSequence(String key, SnowflakeLanes lanes) implements IdSequence {

		@Override
		public long nextId() {
			return this.lanes.next();
		}

		@Override
		public long[] nextIds(int count) {
			Requests.checkCount(count);
			return this.lanes.next(count);
		}

	}

}
