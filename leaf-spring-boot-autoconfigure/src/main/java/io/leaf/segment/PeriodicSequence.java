// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.Objects;

import io.leaf.segment.SegmentStore.Allocation;
import org.jspecify.annotations.Nullable;

/**
 * The buffer of one key with periods and {@linkplain Ordering#STRICT strict ordering}.
 * When a period ends, its unissued numbers are dropped.
 */
final class PeriodicSequence extends SegmentSequence {

	// Each call draws a number before it checks whether the period of that number has
	// ended. So a call that had to wait for a segment never returns a number of a period
	// that ended during the wait.

	private final PeriodAllocator periods;

	PeriodicSequence(String key, SegmentStore store, SegmentSettings settings, SegmentEnvironment environment,
			KeyDirectory directory) {
		super(key, store, settings, environment, directory);
		this.periods = Objects.requireNonNull(allocator().periods());
	}

	@Override
	public long nextId() {
		while (true) {
			long id = super.nextId();
			long end = this.periods.expired();
			if (id >= end) {
				return id;
			}
			discard(end, 1);
		}
	}

	@Override
	@Nullable Allocation takeRange(long size, long floor) {
		return null;
	}

	@Override
	long tryNext() {
		while (true) {
			long id = super.tryNext();
			long end = this.periods.expired();
			if (id == NONE || id >= end) {
				return id;
			}
			discard(end, 1);
		}
	}

	@Override
	public long[] nextIds(int count) {
		long[] ids = super.nextIds(count);
		long end = this.periods.expired();
		int expired = 0;
		while (expired < count && ids[expired] < end) {
			expired++;
		}
		if (expired == 0) {
			return ids;
		}
		discard(end, expired);
		long[] others = nextIds(expired);
		System.arraycopy(ids, expired, ids, 0, count - expired);
		System.arraycopy(others, 0, ids, count - expired, expired);
		return ids;
	}

}
