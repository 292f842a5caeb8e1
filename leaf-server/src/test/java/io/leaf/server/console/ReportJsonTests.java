// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.util.List;
import java.util.Map;

import io.leaf.actuate.LeafEndpoint.KeyReport;
import io.leaf.actuate.LeafEndpoint.LayoutReport;
import io.leaf.actuate.LeafEndpoint.Report;
import io.leaf.actuate.LeafEndpoint.SnowflakeReport;
import io.leaf.segment.SegmentStatus.Current;
import io.leaf.segment.SegmentStatus.Range;
import io.leaf.server.ClientActivity;
import org.json.JSONException;
import org.json.JSONObject;
import org.junit.jupiter.api.Test;
import org.skyscreamer.jsonassert.JSONAssert;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReportJson}.
 */
class ReportJsonTests {

	@Test
	void boundsThatJavaScriptWouldRoundAreStrings() throws JSONException {
		long from = Long.MAX_VALUE - 2000;
		KeyReport key = new KeyReport(null, new Current(from, from + 1000, from + 1, 999),
				new Range(from + 1000, from + 2000), 1000, 500, 1, 2, 3, 4, Reports.TIME, "away", null, null);
		JSONAssert.assertEquals(
				"""
						{"time": "2026-11-22T10:00:00Z", "whole": true, "name": "orders", "total": 1, "removed": [], "snowflake": null,
						 "clients": {"rangesInAll": 0, "ranges": [], "leasesInAll": 0, "leases": []},
						 "keys": {"order": {
						  "current": {"from": "9223372036854773807", "to": "9223372036854774807",
						              "next": "9223372036854773808", "remaining": 999},
						  "next": {"from": "9223372036854774807", "to": "9223372036854775807"},
						  "step": 1000, "rowStep": 500, "issued": 1, "fetches": 2, "failures": 3, "waits": 4,
						  "lastFetch": "2026-11-22T10:00:00Z", "lastError": "away"}}}""",
				ReportJson.whole(Reports.TIME, Reports.of(Map.of("order", key)), Reports.NO_CLIENTS), true);
	}

	@Test
	void absentValuesAreNull() throws JSONException {
		KeyReport unused = new KeyReport(null, null, null, 10, 10, 0, 0, 0, 0, null, null, null, null);
		JSONAssert.assertEquals("""
				{"keys": {"order": {"current": null, "next": null, "lastFetch": null, "lastError": null}}}""",
				ReportJson.whole(Reports.TIME, Reports.of(Map.of("order", unused)), Reports.NO_CLIENTS), false);
		JSONAssert.assertEquals("""
				{"total": 0, "keys": null, "snowflake": null}""",
				ReportJson.whole(Reports.TIME, new Report("orders", Map.of(), null, null), Reports.NO_CLIENTS), false);
	}

	@Test
	void snowflakeModeHasTheFormatOfTheEndpoint() throws JSONException {
		SnowflakeReport snowflake = new SnowflakeReport(List.of(3L, 7L), "zookeeper", 42, Reports.TIME, 5, -2, "away",
				"full", new LayoutReport(41, 10, 12, "milliseconds", Reports.TIME, Reports.TIME));
		JSONAssert.assertEquals("""
				{"snowflake": {"workerIds": [3, 7], "source": "zookeeper", "issued": 42,
				 "horizon": "2026-11-22T10:00:00Z", "leadMillis": 5, "clockOffsetMillis": -2, "lastError": "away",
				 "stateFileError": "full",
				 "layout": {"timestampBits": 41, "workerBits": 10, "sequenceBits": 12, "unit": "milliseconds",
				            "epoch": "2026-11-22T10:00:00Z", "exhaustedAt": "2026-11-22T10:00:00Z"}}}""",
				ReportJson.whole(Reports.TIME, new Report("orders", Map.of(), null, snowflake), Reports.NO_CLIENTS),
				false);
	}

	@Test
	void clientsAreShownWithTheirRangesAndLeases() throws JSONException {
		ClientActivity.Report clients = new ClientActivity.Report(2,
				List.of(new ClientActivity.Ranges("shop", "order", 3, Long.MAX_VALUE)), 1,
				List.of(new ClientActivity.Lease("shop", "orders", 7, "10.0.0.1:8080", Reports.TIME.toEpochMilli())));
		JSONAssert.assertEquals("""
				{"clients": {"rangesInAll": 2,
				  "ranges": [{"client": "shop", "key": "order", "ranges": 3, "numbers": "9223372036854775807"}],
				  "leasesInAll": 1,
				  "leases": [{"client": "shop", "name": "orders", "workerId": 7, "host": "10.0.0.1:8080",
				              "horizon": "2026-11-22T10:00:00Z"}]}}""",
				ReportJson.whole(Reports.TIME, Reports.of(Map.of()), clients), false);
	}

	@Test
	void changesContainNewChangedAndRemovedKeys() throws JSONException {
		Report before = Reports.of(Map.of("busy", Reports.key(1), "idle", Reports.key(5), "removed", Reports.key(9)));
		Report after = Reports.of(Map.of("busy", Reports.key(2), "idle", Reports.key(5), "new", Reports.key(1)));
		JSONObject changes = new JSONObject(ReportJson.changes(Reports.TIME, before, after, Reports.NO_CLIENTS));
		assertThat(changes.getBoolean("whole")).isFalse();
		assertThat(changes.getJSONObject("keys").length()).isEqualTo(2);
		assertThat(changes.getJSONObject("keys").getJSONObject("busy").getLong("issued")).isEqualTo(2);
		assertThat(changes.getJSONObject("keys").has("new")).isTrue();
		JSONAssert.assertEquals("[\"removed\"]", changes.getJSONArray("removed"), true);
	}

	@Test
	void aKeyCanContainAnyText() throws JSONException {
		String key = "</script>\n\n\"\u0000\u2028";
		String text = ReportJson.whole(Reports.TIME, Reports.of(Map.of(key, Reports.key(1))), Reports.NO_CLIENTS);
		assertThat(new JSONObject(text).getJSONObject("keys").has(key)).isTrue();
		assertThat(text).as("a line break would end the event").doesNotContain("\n");
	}

}
