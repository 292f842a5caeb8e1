// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Map;

import io.leaf.actuate.LeafEndpoint;
import io.leaf.actuate.LeafEndpoint.DecodedId;
import io.leaf.actuate.LeafEndpoint.SegmentReport;
import io.leaf.segment.SegmentStatus.Current;
import io.leaf.segment.SegmentStatus.Range;
import io.leaf.server.LeafServerProperties;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.util.HtmlUtils;

/**
 * The same pages for operators as on a server of Meituan's Leaf: the segments in memory,
 * the rows of the table {@code leaf_alloc}, and a decoder of snowflake IDs.
 */
@RestController
class MonitorController {

	private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

	private final LeafEndpoint endpoint;

	private final AllocationTable table;

	private final LeafServerProperties properties;

	/**
	 * Creates the controller.
	 * @param endpoint the state of the generators
	 * @param table the rows, or {@code null} if this server has no database
	 * @param properties the settings of the server
	 */
	MonitorController(LeafEndpoint endpoint, AllocationTable table, LeafServerProperties properties) {
		this.endpoint = endpoint;
		this.table = table;
		this.properties = properties;
	}

	@GetMapping(path = "/cache", produces = MediaType.TEXT_HTML_VALUE)
	String cache() {
		HtmlTable html = new HtmlTable("name", "init", "next", "pos", "value0", "max0", "step0", "value1", "max1",
				"step1");
		segment().keys().forEach((key, report) -> {
			Current current = report.current();
			Range next = report.next();
			html.row(key, current != null, next != null, 0, (current != null) ? current.next() : 0,
					(current != null) ? current.to() : 0, (current != null) ? current.to() - current.from() : 0,
					(next != null) ? next.from() : 0, (next != null) ? next.to() : 0,
					(next != null) ? next.to() - next.from() : 0);
		});
		return html.toString();
	}

	@GetMapping(path = "/db", produces = MediaType.TEXT_HTML_VALUE)
	String table() {
		segment();
		if (this.table == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND,
					"This server has no database, so it has no rows to show. Set leaf.segment.datasource.url, or open this page on a server that has a database");
		}
		HtmlTable html = new HtmlTable("tag", "max", "step", "update");
		this.table.rows().forEach((row) -> html.row(row.key(), row.maxId(), row.step(), row.updateTime()));
		return html.toString();
	}

	private SegmentReport segment() {
		SegmentReport segment = this.endpoint.report().segment();
		if (segment == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND,
					"Segment mode is not enabled on this server. Set leaf.segment.datasource.url, and do not set leaf.segment.enabled=false");
		}
		return segment;
	}

	@GetMapping(path = "/decodeSnowflakeId", produces = MediaType.APPLICATION_JSON_VALUE)
	Map<String, String> decode(@RequestParam String snowflakeId) {
		try {
			DecodedId id = this.endpoint.decode("snowflake", snowflakeId);
			return Map.of("timestamp", time(id.timestamp()), "workerId", Long.toString(id.workerId()), "sequenceId",
					Long.toString(id.sequence()));
		}
		catch (InvalidEndpointRequestException ex) {
			return Map.of("errorMsg", ex.getMessage() + ". " + ex.getReason());
		}
	}

	@ExceptionHandler
	ResponseEntity<ProblemDetail> explain(ResponseStatusException failure) {
		return ResponseEntity.of(failure.getBody()).build();
	}

	private String time(Instant timestamp) {
		return "%s(%s)".formatted(timestamp.toEpochMilli(), TIME.format(timestamp.atZone(this.properties.zone())));
	}

	/**
	 * A page with one table.
	 */
	private static final class HtmlTable {

		private final StringBuilder html = new StringBuilder(
				"<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Leaf</title></head><body><table><thead>");

		HtmlTable(Object... names) {
			line("th", names);
			this.html.append("</thead><tbody>");
		}

		void row(Object... values) {
			line("td", values);
		}

		private void line(String tag, Object... values) {
			this.html.append("<tr>");
			for (Object value : values) {
				this.html.append('<').append(tag).append('>');
				this.html.append(HtmlUtils.htmlEscape(String.valueOf(value)));
				this.html.append("</").append(tag).append('>');
			}
			this.html.append("</tr>\n");
		}

		@Override
		public String toString() {
			return this.html + "</tbody></table></body></html>\n";
		}

	}

}
