// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import io.leaf.snowflake.SnowflakeSettings;
import io.leaf.snowflake.lease.LeaseSettings;
import io.leaf.support.DurationText;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Properties of snowflake mode.
 *
 * @param enabled Whether snowflake IDs are issued.
 * @param layout How the bits of an ID are divided.
 * @param host Address that tells this process from others. A label, nothing connects to
 * it. Defaults to the first usable address of this machine.
 * @param port Port that tells this process from others on the same machine. A label,
 * nothing listens on it. Defaults to server.port, or else 8080.
 * @param worker Where the worker ID comes from.
 * @param reportInterval How often the lease on the worker ID is renewed, from 1 second to
 * 10 minutes.
 * @param leaseWindow How long IDs can be issued while the store of the leases is
 * unavailable, from 10 seconds to 7 days. At least three times
 * leaf.snowflake.report-interval. The worker ID of a process that was killed stays
 * reserved that long, and a further one is given back if it has not been needed that
 * long.
 * @param stateDir Folder of the state file, with which a process goes on after a restart
 * while the store of the leases is unavailable. Required if leaf.snowflake.worker.source
 * is 'file', whose guarantee is lost with it. What Leaf creates in it belongs to the user
 * of the process and is closed to others. Defaults to a folder of the user below the
 * temporary directory, except for 'file'.
 * @param maxLead How far the timestamps issued may run ahead of the clock, from 0
 * milliseconds to 10 seconds.
 * @param maxLanes How many worker IDs this process may use at the same time, from 1 to
 * 64.
 * @param acquireTimeout How long a caller waits when no ID can be issued at once, from 1
 * millisecond to 10 minutes.
 * @param clock Clock of this machine.
 * @param zookeeper Connection to ZooKeeper, where the application has no CuratorFramework
 * of its own.
 */
@ConfigurationProperties("leaf.snowflake")
public record LeafSnowflakeProperties(@DefaultValue("false") boolean enabled, @DefaultValue Layout layout,
		@Nullable String host, @Nullable String port, @DefaultValue Worker worker,
		@DefaultValue("3s") Duration reportInterval, @DefaultValue("1h") Duration leaseWindow,
		@Nullable String stateDir, @DefaultValue("100ms") Duration maxLead, @DefaultValue("1") int maxLanes,
		@DefaultValue("2s") Duration acquireTimeout, @DefaultValue Clock clock, @DefaultValue Zookeeper zookeeper) {

	static final String PREFIX = "leaf.snowflake";

	private static final String LAYOUT = PREFIX + ".layout";

	/**
	 * Returns how IDs are issued.
	 * @param now the present time, which lies within the lifetime of a layout that can be
	 * used
	 * @throws InvalidConfigurationPropertyValueException if a value is out of its range
	 */
	SnowflakeSettings settings(Instant now) {
		PropertyRanges ranges = new PropertyRanges(PREFIX);
		ranges.requireBetween("max-lead", this.maxLead, Duration.ZERO, Duration.ofSeconds(10));
		ranges.requireBetween("max-lanes", this.maxLanes, 1, SnowflakeSettings.MAX_LANES);
		ranges.requireBetween("acquire-timeout", this.acquireTimeout, Duration.ofMillis(1), Duration.ofMinutes(10));
		ranges.requireBetween("clock.max-drift", this.clock.maxDrift(), Duration.ofSeconds(1), Duration.ofDays(7));
		return new SnowflakeSettings(layout(now), this.maxLead, this.maxLanes, this.acquireTimeout);
	}

	/**
	 * Returns how leases are kept.
	 * @param name the name under which the application issues IDs
	 * @param label the label of this process
	 * @throws InvalidConfigurationPropertyValueException if a value is out of its range
	 */
	LeaseSettings leaseSettings(String name, ProcessLabel label) {
		PropertyRanges ranges = new PropertyRanges(PREFIX);
		ranges.requireBetween("report-interval", this.reportInterval, Duration.ofSeconds(1), Duration.ofMinutes(10));
		ranges.requireBetween("lease-window", this.leaseWindow, Duration.ofSeconds(10), Duration.ofDays(7));
		Duration shortest = this.reportInterval.multipliedBy(LeaseSettings.MIN_INTERVALS);
		ranges.require("lease-window", this.leaseWindow, this.leaseWindow.compareTo(shortest) >= 0,
				"%d times leaf.snowflake.report-interval or longer: %s".formatted(LeaseSettings.MIN_INTERVALS,
						DurationText.of(shortest)));
		if (this.worker.source() == Source.FILE) {
			return LeaseSettings.ofFile(name, label.toString(), this.clock.maxDrift());
		}
		return new LeaseSettings(name, label.toString(), this.reportInterval, this.leaseWindow, this.clock.maxDrift());
	}

	/**
	 * Returns the folder of the state files.
	 * @throws InvalidConfigurationPropertyValueException if there can be no such folder
	 */
	Path stateDirectory() {
		if (this.stateDir != null) {
			return path("state-dir", this.stateDir);
		}
		// others' state files are nobody's business: each user has a folder of their own
		return Path.of(System.getProperty("java.io.tmpdir"), "leaf-" + System.getProperty("user.name"));
	}

	/**
	 * Returns the folder of the state file that is the register of a fixed worker ID.
	 * Only the user can say which folder is never cleared.
	 * @throws InvalidConfigurationPropertyValueException if there can be no such folder
	 */
	Path registerDirectory() {
		if (this.stateDir == null) {
			throw new LeafStartupException(
					"The property leaf.snowflake.worker.source is file, but leaf.snowflake.state-dir is not set.",
					"Set leaf.snowflake.state-dir to a folder that is never cleared: on a local disk, in a container on a volume. The file in it records up to which time the worker ID was used; if it is lost, IDs may be issued twice.");
		}
		return stateDirectory();
	}

	private static Path path(String name, String value) {
		// an empty one is the working directory, wherever that happens to be
		new PropertyRanges(PREFIX).require(name, value, !value.isBlank(), "the path of a folder");
		try {
			return Path.of(value);
		}
		catch (InvalidPathException ex) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + "." + name, value,
					"It must be the path of a folder: " + ex.getReason());
		}
	}

	/**
	 * Returns the fixed worker ID.
	 * @param layout the layout, which decides how large it may be
	 * @throws InvalidConfigurationPropertyValueException if it is out of its range
	 */
	long workerId(SnowflakeLayout layout) {
		Long id = this.worker.id();
		if (id == null) {
			throw new LeafStartupException(
					"The property leaf.snowflake.worker.source is file, but leaf.snowflake.worker.id is not set.",
					"Set leaf.snowflake.worker.id to a number from 0 to %d that no other process has."
						.formatted(layout.maxWorkerId()));
		}
		new PropertyRanges(PREFIX).requireBetween("worker.id", id, 0L, layout.maxWorkerId());
		return id;
	}

	/**
	 * Returns the layout: the preset, save for what is set beside it.
	 * @param now the present time, which lies within the lifetime of a layout that can be
	 * used
	 * @throws InvalidConfigurationPropertyValueException if a value is out of its range
	 */
	SnowflakeLayout layout(Instant now) {
		SnowflakeLayout preset = this.layout.preset().layout;
		int timestampBits = bits("timestamp-bits", this.layout.timestampBits(), preset.timestampBits(), 1, 63);
		int workerBits = bits("worker-bits", this.layout.workerBits(), preset.workerBits(), 0, 31);
		int sequenceBits = bits("sequence-bits", this.layout.sequenceBits(), preset.sequenceBits(), 0, 31);
		Unit unit = (this.layout.unit() != null) ? this.layout.unit() : preset.unit();
		Instant epoch = (this.layout.epoch() != null) ? epoch(this.layout.epoch()) : preset.epoch();
		int bits = timestampBits + workerBits + sequenceBits;
		if (bits > SnowflakeLayout.MAX_BITS) {
			throw new LeafStartupException(
					"The layout of snowflake IDs has %1$d bits for the time, %2$d for the worker ID and %3$d for the sequence. They must add up to at most %4$d: %1$d + %2$d + %3$d = %5$d."
						.formatted(timestampBits, workerBits, sequenceBits, SnowflakeLayout.MAX_BITS, bits),
					"Lower %1$s.timestamp-bits, .worker-bits or .sequence-bits. Those that are not set are as in %1$s.preset=%2$s."
						.formatted(LAYOUT, lowerCase(this.layout.preset())));
		}
		SnowflakeLayout layout;
		try {
			layout = new SnowflakeLayout(timestampBits, workerBits, sequenceBits, unit, epoch);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(".epoch", epoch,
					"It must fall on a whole %s since 1970 (%s.unit=%s), such as 2026-01-01T00:00:00Z%s".formatted(
							(unit == Unit.SECONDS) ? "second" : "millisecond", LAYOUT, lowerCase(unit),
							presetsEpoch()));
		}
		if (epoch.isAfter(now)) {
			throw invalid(".epoch", epoch,
					"It must not be in the future, and it is now %s".formatted(now.truncatedTo(ChronoUnit.SECONDS)));
		}
		if (!layout.exhaustedAt().isAfter(now)) {
			throw invalid(".epoch", epoch,
					"With %1$s.timestamp-bits=%2$d and %1$s.unit=%3$s this layout ran out at %4$s: choose a later epoch or more timestamp-bits. IDs of another layout may collide with those already issued%5$s"
						.formatted(LAYOUT, timestampBits, lowerCase(unit), layout.exhaustedAt(), presetsEpoch()));
		}
		return layout;
	}

	private String presetsEpoch() {
		return (this.layout.epoch() != null) ? "" : ". None is set, and this is the one of %s.preset=%s"
			.formatted(LAYOUT, lowerCase(this.layout.preset()));
	}

	private static String lowerCase(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	private static Instant epoch(String text) {
		try {
			return Instant.parse(text);
		}
		catch (DateTimeParseException ex) {
			throw invalid(".epoch", text, "It must be a time in UTC, such as %sT00:00:00Z"
				.formatted(text.matches("\\d{4}-\\d{2}-\\d{2}") ? text : "2026-01-01"));
		}
	}

	private static int bits(String name, @Nullable Integer bits, int preset, int min, int max) {
		if (bits == null) {
			return preset;
		}
		if (bits < min || bits > max) {
			throw invalid("." + name, bits, "It must be from %d to %d".formatted(min, max));
		}
		return bits;
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException(LAYOUT + name, value, reason);
	}

	/**
	 * Where the worker ID comes from.
	 *
	 * @param source What hands worker IDs out: ZooKeeper, the table leaf_worker ('jdbc'),
	 * or the configuration: a fixed worker ID, with a file in leaf.snowflake.state-dir
	 * that records which timestamps were used.
	 * @param id Worker ID of this process, where leaf.snowflake.worker.source is 'file',
	 * from 0 to 1023, or to the largest of another layout. Must differ in every process.
	 */
	public record Worker(@DefaultValue("zookeeper") Source source, @Nullable Long id) {

	}

	/**
	 * Stores that hand worker IDs out.
	 */
	public enum Source {

		/**
		 * ZooKeeper, in the tree that Meituan's Leaf uses.
		 */
		ZOOKEEPER,

		/**
		 * The table leaf_worker.
		 */
		JDBC,

		/**
		 * A fixed worker ID, with a file that records which timestamps were used.
		 */
		FILE

	}

	/**
	 * Clock of this machine.
	 *
	 * @param maxDrift How far the clock of this machine may be, at start, from the median
	 * of the live members' clocks, deployed Leaf servers included (with fewer than three,
	 * from the store's), from 1 second to 7 days.
	 */
	public record Clock(@DefaultValue("10s") Duration maxDrift) {

	}

	/**
	 * Connection to ZooKeeper.
	 *
	 * @param connectString Addresses of the servers, such as zk1:2181,zk2:2181. May end
	 * with a path, which is created if it is missing. If it is set, a CuratorFramework
	 * bean is not used. A LeafZooKeeperConnectionDetails bean, for example from
	 * Testcontainers, takes precedence over both. Defaults to those of the single
	 * CuratorFramework bean.
	 * @param auth Digest credentials, as user:password. Nodes below /snowflake are
	 * created with an ACL that admits only these credentials. For the client that
	 * 'connect-string' makes.
	 * @param sessionTimeout How long ZooKeeper keeps the session after last hearing from
	 * the process, from 1 second to 5 minutes. A request without an answer is given up
	 * within this time. For the client that 'connect-string' makes.
	 * @param connectionTimeout How long to wait for a connection at start, from 1 second
	 * to 5 minutes. For the client that 'connect-string' makes.
	 */
	public record Zookeeper(@Nullable String connectString, @Nullable String auth,
			@DefaultValue("6s") Duration sessionTimeout, @DefaultValue("10s") Duration connectionTimeout) {

		@Override
		public String toString() {
			// a record would print the password
			return "Zookeeper[connectString=" + this.connectString + "]";
		}

	}

	/**
	 * How the bits of an ID are divided.
	 *
	 * @param preset How the bits are divided where nothing else is set: as in Meituan's
	 * Leaf, as in Baidu's uid-generator with a later epoch, or in 53 bits, for
	 * JavaScript.
	 * @param timestampBits Number of bits for the time, from 1 to 63. With the others at
	 * most 63. Defaults to the preset's.
	 * @param workerBits Number of bits for the worker ID, from 0 to 31. Defaults to the
	 * preset's.
	 * @param sequenceBits Number of bits for the sequence within a tick, from 0 to 31.
	 * Defaults to the preset's.
	 * @param unit Length of a tick. Defaults to the preset's.
	 * @param epoch Time that is 0, such as 2026-01-01T00:00:00Z. Not in the future.
	 * Defaults to the preset's.
	 */
	public record Layout(@DefaultValue("leaf") Preset preset, @Nullable Integer timestampBits,
			@Nullable Integer workerBits, @Nullable Integer sequenceBits, @Nullable Unit unit, @Nullable String epoch) {

	}

	/**
	 * Layouts to choose from.
	 */
	public enum Preset {

		/**
		 * 41 bits of milliseconds, 10 bits for the worker and 12 for the sequence, as
		 * Leaf has it.
		 */
		LEAF(SnowflakeLayout.LEAF),

		/**
		 * 28 bits of seconds, 22 bits for the worker and 13 for the sequence.
		 */
		BAIDU(SnowflakeLayout.BAIDU),

		/**
		 * 41 bits of milliseconds, 6 bits for the worker and 6 for the sequence: numbers
		 * that JavaScript holds.
		 */
		JS_SAFE(SnowflakeLayout.JS_SAFE);

		private final SnowflakeLayout layout;

		Preset(SnowflakeLayout layout) {
			this.layout = layout;
		}

	}

}
