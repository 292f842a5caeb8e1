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
 * If a process uses only one worker ID, all IDs of the process are strictly increasing.
 * If a process uses several worker IDs ({@link SnowflakeSettings#maxLanes()}), only the
 * IDs of each worker ID are strictly increasing, and the IDs of the process are roughly
 * ordered by time. Each thread is then assigned to one worker ID, and draws from another
 * worker ID only if the assigned worker ID has no ID left at present.
 * <p>
 * Any number of threads can use a generator at once, without a lock. A calling thread is
 * parked only if IDs are requested faster than the layout allows, or if this process may
 * use no worker ID at present, because it has no valid lease or because the state file
 * could not be written in time.
 */
public final class SnowflakeIdGenerator implements IdGenerator {

	private final SnowflakeLanes lanes;

	private final IdFormats formats;

	/**
	 * Creates a generator whose keys have no format.
	 * @param lanes the lanes from which IDs are drawn. The {@code LeaseKeeper} adds lanes
	 * and seals them
	 */
	public SnowflakeIdGenerator(SnowflakeLanes lanes) {
		this(lanes, new IdFormats(Map.of()));
	}

	/**
	 * Creates a generator.
	 * @param lanes the lanes from which IDs are drawn. The {@code LeaseKeeper} adds lanes
	 * and seals them
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
