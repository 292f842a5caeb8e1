// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.leaf.actuate.LeafEndpoint.KeyReport;
import io.leaf.actuate.LeafEndpoint.LayoutReport;
import io.leaf.actuate.LeafEndpoint.Report;
import io.leaf.actuate.LeafEndpoint.SegmentReport;
import io.leaf.actuate.LeafEndpoint.SnowflakeReport;
import io.leaf.segment.SegmentStatus.Current;
import io.leaf.segment.SegmentStatus.Range;
import io.leaf.server.ClientActivity;
import io.leaf.server.ClientActivity.Lease;
import io.leaf.server.ClientActivity.Ranges;

import org.springframework.boot.json.JsonWriter;
import org.springframework.boot.json.WritableJson;

/**
 * Writes the data of the live page as JSON: the contents of {@code /actuator/leaf}, with
 * all keys in use or only the changed ones, the activity of clients, and the results of
 * searches for other keys. The bounds of segments are strings, because JavaScript could
 * round such large numbers.
 */
final class ReportJson {

	private static final JsonWriter<Current> CURRENT = JsonWriter.of((members) -> {
		members.add("from", Current::from).as(String::valueOf);
		members.add("to", Current::to).as(String::valueOf);
		members.add("next", Current::next).as(String::valueOf);
		members.add("remaining", Current::remaining);
	});

	private static final JsonWriter<Range> RANGE = JsonWriter.of((members) -> {
		members.add("from", Range::from).as(String::valueOf);
		members.add("to", Range::to).as(String::valueOf);
	});

	private static final JsonWriter<KeyReport> KEY = JsonWriter.of((members) -> {
		members.add("current", KeyReport::current).as(CURRENT::write);
		members.add("next", KeyReport::next).as(RANGE::write);
		members.add("step", KeyReport::step);
		members.add("rowStep", KeyReport::rowStep);
		members.add("issued", KeyReport::issued);
		members.add("fetches", KeyReport::fetches);
		members.add("failures", KeyReport::failures);
		members.add("waits", KeyReport::waits);
		members.add("lastFetch", KeyReport::lastFetch).as(Instant::toString);
		members.add("lastError", KeyReport::lastError);
	});

	private static final JsonWriter<LayoutReport> LAYOUT = JsonWriter.of((members) -> {
		members.add("timestampBits", LayoutReport::timestampBits);
		members.add("workerBits", LayoutReport::workerBits);
		members.add("sequenceBits", LayoutReport::sequenceBits);
		members.add("unit", LayoutReport::unit);
		members.add("epoch", LayoutReport::epoch).as(Instant::toString);
		members.add("exhaustedAt", LayoutReport::exhaustedAt).as(Instant::toString);
	});

	private static final JsonWriter<SnowflakeReport> SNOWFLAKE = JsonWriter.of((members) -> {
		members.add("workerIds", SnowflakeReport::workerIds);
		members.add("source", SnowflakeReport::source);
		members.add("issued", SnowflakeReport::issued);
		members.add("horizon", SnowflakeReport::horizon).as(Instant::toString);
		members.add("leadMillis", SnowflakeReport::leadMillis);
		members.add("clockOffsetMillis", SnowflakeReport::clockOffsetMillis);
		members.add("lastError", SnowflakeReport::lastError);
		members.add("stateFileError", SnowflakeReport::stateFileError);
		members.add("layout", SnowflakeReport::layout).as(LAYOUT::write);
	});

	private static final JsonWriter<Ranges> RANGES = JsonWriter.of((members) -> {
		members.add("client", Ranges::client);
		members.add("key", Ranges::key);
		members.add("ranges", Ranges::ranges);
		members.add("numbers", Ranges::numbers).as(String::valueOf);
	});

	private static final JsonWriter<Lease> LEASE = JsonWriter.of((members) -> {
		members.add("client", Lease::client);
		members.add("name", Lease::name);
		members.add("workerId", Lease::workerId);
		members.add("host", Lease::host);
		members.add("horizon", Lease::horizon).as((millis) -> Instant.ofEpochMilli(millis).toString());
	});

	private static final JsonWriter<ClientActivity.Report> CLIENTS = JsonWriter.of((members) -> {
		members.add("rangesInAll", ClientActivity.Report::rangesInAll);
		members.add("ranges", ClientActivity.Report::ranges).as((all) -> all.stream().map(RANGES::write).toList());
		members.add("leasesInAll", ClientActivity.Report::leasesInAll);
		members.add("leases", ClientActivity.Report::leases).as((all) -> all.stream().map(LEASE::write).toList());
	});

	private static final JsonWriter<Changes> CHANGES = JsonWriter.of((members) -> {
		members.add("time", Changes::time).as(Instant::toString);
		members.add("whole", Changes::whole);
		members.add("name", Changes::name);
		members.add("total", Changes::total);
		members.add("keys", Changes::keys).as(ReportJson::keys);
		members.add("removed", Changes::removed);
		members.add("snowflake", Changes::snowflake).as(SNOWFLAKE::write);
		members.add("clients", Changes::clients).as(CLIENTS::write);
	});

	private static final JsonWriter<SegmentReport> FOUND = JsonWriter.of((members) -> {
		members.add("total", SegmentReport::total);
		members.add("keys", SegmentReport::keys).as(ReportJson::keys);
	});

	private ReportJson() {
	}

	private static Map<String, WritableJson> keys(Map<String, KeyReport> keys) {
		Map<String, WritableJson> written = new LinkedHashMap<>();
		keys.forEach((key, report) -> written.put(key, KEY.write(report)));
		return written;
	}

	/**
	 * Writes a report.
	 * @param time when the report was taken
	 * @param report the report
	 * @param clients the activity of clients
	 * @return a JSON object with {@code time}, {@code whole} (here {@code true}),
	 * {@code name}, {@code total} (the number of keys that have a row), {@code keys},
	 * {@code removed} (here empty), {@code snowflake} and {@code clients}. If segment
	 * mode is disabled, {@code total} is 0 and {@code keys} is {@code null}
	 */
	static String whole(Instant time, Report report, ClientActivity.Report clients) {
		return write(time, report, true, (report.segment() != null) ? report.segment().keys() : null, List.of(),
				clients);
	}

	/**
	 * Writes the changes between two reports.
	 * @param time when the later report was taken
	 * @param before the earlier report
	 * @param report the later report
	 * @param clients the activity of clients
	 * @return a JSON object with the same fields as from {@link #whole}, but
	 * {@code whole} is {@code false}, and {@code keys} contains only the new and changed
	 * keys. The keys that only the earlier report has are in {@code removed}. If segment
	 * mode is disabled, the object is that of {@link #whole}
	 */
	static String changes(Instant time, Report before, Report report, ClientActivity.Report clients) {
		SegmentReport segment = report.segment();
		if (segment == null || before.segment() == null) {
			return whole(time, report, clients);
		}
		Map<String, KeyReport> earlier = before.segment().keys();
		Map<String, KeyReport> changed = new TreeMap<>();
		segment.keys().forEach((key, now) -> {
			if (!now.equals(earlier.get(key))) {
				changed.put(key, now);
			}
		});
		List<String> removed = earlier.keySet().stream().filter((key) -> !segment.keys().containsKey(key)).toList();
		return write(time, report, false, changed, removed, clients);
	}

	/**
	 * Writes the result of a search.
	 * @param found what was found, or {@code null} if segment mode is disabled
	 * @return a JSON object with {@code total} (the number of keys that match the search)
	 * and {@code keys} (those of them that are not in use, up to a limit)
	 */
	static String found(SegmentReport found) {
		return FOUND.writeToString((found != null) ? found : new SegmentReport(0, 0, null, Map.of()));
	}

	private static String write(Instant time, Report report, boolean whole, Map<String, KeyReport> keys,
			List<String> removed, ClientActivity.Report clients) {
		int total = (report.segment() != null) ? report.segment().total() : 0;
		return CHANGES
			.writeToString(new Changes(time, whole, report.name(), total, keys, removed, report.snowflake(), clients));
	}

	private record Changes(Instant time, boolean whole, String name, int total, Map<String, KeyReport> keys,
			List<String> removed, SnowflakeReport snowflake, ClientActivity.Report clients) {

	}

}
