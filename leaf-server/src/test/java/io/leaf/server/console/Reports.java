// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.leaf.actuate.LeafEndpoint.KeyReport;
import io.leaf.actuate.LeafEndpoint.Report;
import io.leaf.actuate.LeafEndpoint.SegmentReport;
import io.leaf.segment.SegmentStatus.Current;
import io.leaf.segment.SegmentStatus.Range;
import io.leaf.server.ClientActivity;

/**
 * Reports for tests.
 */
final class Reports {

	static final Instant TIME = Instant.parse("2026-11-22T10:00:00Z");

	static final ClientActivity.Report NO_CLIENTS = new ClientActivity.Report(0, List.of(), 0, List.of());

	private Reports() {
	}

	static Report of(Map<String, KeyReport> keys) {
		return new Report("orders", Map.of(), new SegmentReport(keys.size(), keys.size(), null, new TreeMap<>(keys)),
				null);
	}

	/**
	 * Returns the report of a key that has issued the given number of its first 1000 IDs.
	 */
	static KeyReport key(long issued) {
		return new KeyReport(null, new Current(1, 1001, 1 + issued, 1000 - issued), new Range(1001, 2001), 1000, 1000,
				issued, 2, 0, 0, TIME, null, null, null);
	}

}
