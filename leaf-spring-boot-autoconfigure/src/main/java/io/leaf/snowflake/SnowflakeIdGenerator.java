// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.util.Map;
import java.util.concurrent.CompletionStage;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.support.IdArguments;
import io.leaf.text.IdFormats;

/**
 * Issues snowflake IDs, which consist of the time, a worker ID of this process, and a
 * sequence number. All keys share one sequence of IDs, so an ID is unique among the IDs
 * of all keys.
 * <p>
 * With one worker ID the IDs are strictly increasing within the process. With several
 * ({@link SnowflakeSettings#maxLanes()}) the IDs of each worker ID are strictly
 * increasing, and all of them together only roughly: each thread draws from one worker
 * ID, and uses the others only if that one has reached its limit.
 * <p>
 * Safe for use by any number of threads, without a lock. A caller waits, parked, only if
 * more IDs are requested than the layout allows, or if this process has no valid lease on
 * a worker ID at present.
 */
public final class SnowflakeIdGenerator implements IdGenerator {

	private final SnowflakeLanes lanes;

	private final IdFormats formats;

	/**
	 * Creates a generator whose keys have no format.
	 * @param lanes the lanes that IDs are drawn from; the keeper of the leases opens and
	 * closes them
	 */
	public SnowflakeIdGenerator(SnowflakeLanes lanes) {
		this(lanes, new IdFormats(Map.of()));
	}

	/**
	 * Creates a generator.
	 * @param lanes the lanes that IDs are drawn from; the keeper of the leases opens and
	 * closes them
	 * @param formats the formats of the keys
	 */
	public SnowflakeIdGenerator(SnowflakeLanes lanes, IdFormats formats) {
		this.lanes = lanes;
		this.formats = formats;
	}

	@Override
	public long nextId(String key) {
		IdArguments.checkKey(key);
		return this.lanes.next();
	}

	@Override
	public long[] nextIds(String key, int count) {
		IdArguments.checkKey(key);
		IdArguments.checkCount(count);
		return this.lanes.next(count);
	}

	@Override
	public String nextText(String key) {
		return this.formats.of(key).format(nextId(key));
	}

	@Override
	public IdSequence sequence(String key) {
		return new SnowflakeSequence(IdArguments.checkKey(key), this.lanes);
	}

	/**
	 * Returns the layout of the IDs.
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
		public CompletionStage<Long> nextIdAsync() {
			return this.lanes.nextAsync();
		}

		@Override
		public long[] nextIds(int count) {
			IdArguments.checkCount(count);
			return this.lanes.next(count);
		}

	}

}
