// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leaf.InvalidRequestException;
import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentIdGenerator.FoundKeys;
import io.leaf.segment.SegmentStatus;
import io.leaf.snowflake.SnowflakeId;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.text.IdFormat;
import io.leaf.text.IdFormats;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code /actuator/leaf}. It shows the state of the generators and, at
 * {@code /actuator/leaf/} followed by a key, the state of that key. It also decodes
 * snowflake IDs and parses the texts of IDs. Requests to the endpoint change nothing and
 * do not access the stores.
 */
@Endpoint(id = "leaf")
public class LeafEndpoint {

	// By default, Spring Boot serializes an OperationResponseBody with a mapper of its
	// own, which the application's JSON settings do not affect. This mapper omits null
	// values, except in records with @JsonInclude(ALWAYS). Records whose null values must
	// appear in the JSON therefore have this annotation.

	/**
	 * The maximum number of keys in a response, unless the request sets another maximum.
	 */
	static final int DEFAULT_SIZE = 100;

	private final String name;

	private final @Nullable SegmentIdGenerator segment;

	private final @Nullable SnowflakeLanes lanes;

	private final @Nullable LeaseKeeper keeper;

	private final SnowflakeLayout layout;

	private final IdFormats formats;

	/**
	 * Creates the endpoint.
	 * @param name the name under which the application issues IDs
	 * @param segment the generator of segment mode, or {@code null} if that mode is off
	 * @param lanes the lanes that issue snowflake IDs, or {@code null} if that mode is
	 * off
	 * @param keeper the keeper of the lanes' leases, or {@code null} if that mode is off
	 * @param layout the layout for decoding snowflake IDs
	 * @param formats the formats of the keys
	 */
	public LeafEndpoint(String name, @Nullable SegmentIdGenerator segment, @Nullable SnowflakeLanes lanes,
			@Nullable LeaseKeeper keeper, SnowflakeLayout layout, IdFormats formats) {
		this.name = name;
		this.segment = segment;
		this.lanes = lanes;
		this.keeper = keeper;
		this.layout = layout;
		this.formats = formats;
	}

	/**
	 * Shows both modes and all keys.
	 * @return the report
	 */
	public Report report() {
		return report(null, null, null, Integer.MAX_VALUE);
	}

	/**
	 * Shows both modes and the keys for which numbers have been requested from the store.
	 * Does not iterate over other keys.
	 * @return the report
	 */
	public Report usedKeys() {
		return report((this.segment != null) ? usedKeys(this.segment) : null);
	}

	private SegmentReport usedKeys(SegmentIdGenerator segment) {
		Map<String, KeyReport> used = new LinkedHashMap<>();
		segment.usedStatus().forEach((key, status) -> used.put(key, keyReport(key, status)));
		int inUse = (int) used.values().stream().filter((key) -> key.fetches() > 0).count();
		return new SegmentReport(segment.keyCount(), inUse, null, used);
	}

	/**
	 * Searches all keys, but shows only keys for which no numbers have been requested
	 * from the store.
	 * @param text the text to search for in the keys, ignoring case
	 * @param size the maximum number of keys to show
	 * @return how many of all keys contain the text, and the state of the keys that are
	 * shown, in alphabetical order, with 0 as {@code inUse}; {@code null} if segment mode
	 * is off
	 */
	public @Nullable SegmentReport unusedKeys(String text, int size) {
		if (this.segment == null) {
			return null;
		}
		String wanted = text.toLowerCase(Locale.ROOT);
		FoundKeys found = this.segment.findKeys((key) -> key.toLowerCase(Locale.ROOT).contains(wanted), size);
		Map<String, KeyReport> shown = new LinkedHashMap<>();
		for (String key : found.unused()) {
			KeyReport report = key(key);
			if (report != null) {
				shown.put(key, report);
			}
		}
		return new SegmentReport(found.total(), 0, null, shown);
	}

	/**
	 * Shows both modes and one page of keys. Keys for which a segment has been fetched
	 * come before all other keys. Both groups are in alphabetical order.
	 * @param keys the keys to show, or {@code null} for all
	 * @param prefix the prefix of the keys to show, or {@code null} for any
	 * @param page the number of the page, beginning at 0, or {@code null} for the first
	 * page
	 * @param size the number of keys per page, or {@code null} for 100
	 * @return the report
	 * @throws InvalidEndpointRequestException if the page or the size is out of range
	 */
	// Both annotations are needed, because Spring Boot 3.5 recognizes optional parameters
	// by Spring's annotation, whereas the annotation processor of Spring Boot 4
	// recognizes them by JSpecify's annotation.
	@ReadOperation
	@SuppressWarnings("deprecation")
	public Report report(@org.springframework.lang.Nullable @Nullable Collection<String> keys,
			@org.springframework.lang.Nullable @Nullable String prefix,
			@org.springframework.lang.Nullable @Nullable Integer page,
			@org.springframework.lang.Nullable @Nullable Integer size) {
		int number = atLeast(0, "page", (page != null) ? page : 0);
		int length = atLeast(1, "size", (size != null) ? size : DEFAULT_SIZE);
		return report(
				(this.segment != null) ? segmentReport(this.segment.status(), keys, prefix, number, length) : null);
	}

	private Report report(@Nullable SegmentReport segment) {
		Map<String, String> templates = new TreeMap<>();
		this.formats.byKey().forEach((key, format) -> templates.put(key, format.template()));
		return new Report(this.name, templates, segment,
				(this.lanes != null && this.keeper != null) ? SnowflakeReport.of(this.lanes, this.keeper) : null);
	}

	private SegmentReport segmentReport(Map<String, SegmentStatus> status, @Nullable Collection<String> keys,
			@Nullable String prefix, int page, int size) {
		List<Entry<String, SegmentStatus>> asked = status.entrySet()
			.stream()
			.filter((entry) -> keys == null || keys.contains(entry.getKey()))
			.filter((entry) -> prefix == null || entry.getKey().startsWith(prefix))
			.sorted(Comparator.comparing((entry) -> entry.getValue().fetches() == 0))
			.toList();
		long inUse = asked.stream().filter((entry) -> entry.getValue().fetches() > 0).count();
		long from = (long) page * size;
		Map<String, KeyReport> shown = new LinkedHashMap<>();
		asked.stream()
			.skip(from)
			.limit(size)
			.forEach((entry) -> shown.put(entry.getKey(), keyReport(entry.getKey(), entry.getValue())));
		return new SegmentReport(asked.size(), (int) inUse, (from + size < asked.size()) ? page + 1 : null, shown);
	}

	private KeyReport keyReport(String key, SegmentStatus status) {
		IdFormat format = this.formats.byKey().get(key);
		return new KeyReport(ordering(status.ordering()), status.current(), status.next(), status.step(),
				status.rowStep(), status.numbers().issued(), status.fetches(), status.failures(), status.waits(),
				status.lastFetch(), status.lastError(), (format != null) ? format.template() : null, status.period());
	}

	private static @Nullable String ordering(Ordering ordering) {
		return (ordering != Ordering.STRICT) ? ordering.name().toLowerCase(Locale.ROOT) : null;
	}

	private static int atLeast(int min, String parameter, int value) {
		if (value < min) {
			String reason = "'%s' must be %d or more".formatted(parameter, min);
			throw new InvalidEndpointRequestException("'%s' is %d. %s".formatted(parameter, value, reason), reason);
		}
		return value;
	}

	/**
	 * Shows one key.
	 * @param key the key
	 * @return the state of the key, or {@code null} if this process knows no row of the
	 * key
	 */
	@ReadOperation
	public @Nullable KeyReport key(@Selector String key) {
		SegmentStatus status = (this.segment != null) ? this.segment.status(key) : null;
		return (status != null) ? keyReport(key, status) : null;
	}

	/**
	 * Decodes an ID. The path is {@code /actuator/leaf/snowflake/} followed by the ID.
	 * @param mode the mode that issued the ID
	 * @param id the ID in decimal
	 * @return the parts of the ID, or {@code null} if the mode is not {@code snowflake}
	 * @throws InvalidEndpointRequestException if {@code id} is not a valid ID of the
	 * configured layout
	 */
	@ReadOperation
	public @Nullable DecodedId decode(@Selector String mode, @Selector String id) {
		if (!mode.equals("snowflake")) {
			return null;
		}
		try {
			SnowflakeId decoded = this.layout.decode(Long.parseLong(id));
			return new DecodedId(id, decoded.timestamp(), decoded.workerId(), decoded.sequence());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidEndpointRequestException("'%s' is not a snowflake ID".formatted(id),
					(ex instanceof NumberFormatException) ? "A snowflake ID is a decimal number less than 2^63"
							: ex.getMessage());
		}
	}

	/**
	 * Parses the text of an ID. The path is {@code /actuator/leaf/text/} followed by the
	 * key and the text.
	 * @param kind must be {@code text}
	 * @param key the key
	 * @param text the text
	 * @return the ID or, with status 400, the reason why the text cannot be parsed;
	 * {@code null} if the kind is not {@code text}, or if the key has no format and this
	 * process knows no row of the key
	 */
	@ReadOperation
	public @Nullable WebEndpointResponse<ParsedText> parse(@Selector String kind, @Selector String key,
			@Selector String text) {
		if (!kind.equals("text") || (!this.formats.byKey().containsKey(key) && key(key) == null)) {
			return null;
		}
		try {
			String id = Long.toString(this.formats.of(key).parse(text));
			return new WebEndpointResponse<>(new ParsedText(key, text, id, null));
		}
		catch (InvalidRequestException ex) {
			// no exception is thrown, because Spring Boot's response to an exception
			// contains the reason only if the application configures that
			return new WebEndpointResponse<>(new ParsedText(key, text, null, ex.getMessage()),
					WebEndpointResponse.STATUS_BAD_REQUEST);
		}
	}

	/**
	 * The whole report.
	 *
	 * @param name the name under which the application issues IDs
	 * @param formats the formats of all keys that have one, by key; omitted if there are
	 * none
	 * @param segment the state of segment mode, or {@code null} if it is off
	 * @param snowflake the state of snowflake mode, or {@code null} if it is off
	 */
	public record Report(String name, @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> formats,
			@Nullable SegmentReport segment, @Nullable SnowflakeReport snowflake) implements OperationResponseBody {

	}

	/**
	 * Segment mode.
	 *
	 * @param total how many keys match the request
	 * @param inUse for how many of these keys a segment has been fetched
	 * @param nextPage the number of the next page, or {@code null} if this is the last
	 * page
	 * @param keys the state of each key on this page
	 */
	public record SegmentReport(int total, int inUse, @Nullable Integer nextPage, Map<String, KeyReport> keys) {

	}

	/**
	 * The state of a key.
	 *
	 * @param ordering the order in which IDs are issued: {@code striped} or {@code
	 * global}. {@code null} and omitted if it is strict
	 * @param current the segment that numbers are issued from, or {@code null} before the
	 * first fetch or if the ordering is global
	 * @param next the next segment, or {@code null} if there is none at the moment
	 * @param step the current step; a fetch requests more numbers if a call needs more
	 * @param rowStep the step that was last read from the row
	 * @param issued how many IDs have been issued
	 * @param fetches how many segments have been fetched
	 * @param failures how many attempts to fetch a segment have failed or been refused
	 * @param waits how many calls had to wait for a segment
	 * @param lastFetch when the last segment was fetched, or {@code null} before the
	 * first fetch
	 * @param lastError the reason for the last failure to fetch a segment, or
	 * {@code null} if no attempt has failed
	 * @param format the format of the key's IDs as text. {@code null} and omitted if the
	 * key has no format
	 * @param period the period from which numbers were last allocated. {@code null} and
	 * omitted if the key has no period, if no numbers have been allocated, or if the
	 * period has ended
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record KeyReport(@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String ordering,
			SegmentStatus.@Nullable Current current, SegmentStatus.@Nullable Range next, long step, long rowStep,
			long issued, long fetches, long failures, long waits, @Nullable Instant lastFetch,
			@Nullable String lastError, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String format,
			@JsonInclude(JsonInclude.Include.NON_NULL) SegmentStatus.@Nullable PeriodStatus period)
			implements
				OperationResponseBody {

	}

	/**
	 * Snowflake mode.
	 *
	 * @param workerIds the worker IDs with which this process issues IDs
	 * @param source the kind of store that keeps the leases
	 * @param issued how many IDs have been issued
	 * @param horizon until when IDs can be issued if the store stays unavailable, or
	 * {@code null} if no worker ID is held
	 * @param leadMillis how far the timestamps of issued IDs run ahead of the generator's
	 * clock
	 * @param clockOffsetMillis how far the wall clock is ahead of the generator's clock;
	 * negative if it is behind
	 * @param lastError why the last renewal failed, or {@code null} if it succeeded
	 * @param stateFileError why the lease is not saved in the state file. Without a saved
	 * lease, a restart fails while the store is unavailable. {@code null} if the lease is
	 * saved, or need not be saved
	 * @param layout the layout of the IDs
	 */
	@JsonInclude(JsonInclude.Include.ALWAYS)
	public record SnowflakeReport(List<Long> workerIds, String source, long issued, @Nullable Instant horizon,
			long leadMillis, long clockOffsetMillis, @Nullable String lastError, @Nullable String stateFileError,
			LayoutReport layout) {

		static SnowflakeReport of(SnowflakeLanes lanes, LeaseKeeper keeper) {
			LeaseKeeper.Status status = keeper.status();
			SnowflakeLayout layout = lanes.settings().layout();
			return new SnowflakeReport(status.workerIds(), status.source(), lanes.issued(), status.horizon(),
					lanes.leadMillis(), lanes.clock().offsetMillis(), status.lastError(), status.stateFileError(),
					new LayoutReport(layout.timestampBits(), layout.workerBits(), layout.sequenceBits(),
							layout.unit().name().toLowerCase(Locale.ROOT), layout.epoch(), layout.exhaustedAt()));
		}

	}

	/**
	 * The layout of snowflake IDs.
	 *
	 * @param timestampBits the number of bits for the time
	 * @param workerBits the number of bits for the worker ID
	 * @param sequenceBits the number of bits for the sequence
	 * @param unit the unit of the timestamp: {@code milliseconds} or {@code seconds}
	 * @param epoch the time at which the timestamp is 0
	 * @param exhaustedAt the first time for which the layout has no timestamp
	 */
	public record LayoutReport(int timestampBits, int workerBits, int sequenceBits, String unit, Instant epoch,
			Instant exhaustedAt) {

	}

	/**
	 * The parts of a snowflake ID.
	 *
	 * @param id the ID, as text because it may be too large for a JavaScript number
	 * @param timestamp the beginning of the tick in the ID. A tick is a millisecond or a
	 * second, depending on the layout
	 * @param workerId the worker ID of the lane that issued the ID
	 * @param sequence the sequence number, which distinguishes IDs with the same tick and
	 * worker ID
	 */
	public record DecodedId(String id, Instant timestamp, long workerId,
			long sequence) implements OperationResponseBody {

	}

	/**
	 * The text of an ID.
	 *
	 * @param key the key
	 * @param text the text
	 * @param id the ID, as text because it may be too large for a JavaScript number; or
	 * {@code null} if the text cannot be parsed
	 * @param reason why the text cannot be parsed, or {@code null} if it has been parsed
	 */
	public record ParsedText(String key, String text, @Nullable String id,
			@Nullable String reason) implements OperationResponseBody {

	}

}
