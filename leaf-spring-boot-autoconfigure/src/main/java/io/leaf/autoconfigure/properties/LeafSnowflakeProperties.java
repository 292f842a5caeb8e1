// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

import io.leaf.snowflake.SnowflakeLayout.Unit;
import io.leaf.snowflake.SnowflakeLayout;
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
 * @param layout Division of the bits of an ID.
 * @param host Address that, together with leaf.snowflake.port, identifies this process in
 * lease records and state files. Leaf does not connect to it. At startup, Leaf prefers a
 * worker ID that was last leased to the same address and port. Defaults to the first IPv4
 * address of this machine that is neither a loopback nor a link-local address, or else
 * the first such IPv6 address, or else 127.0.0.1.
 * @param port Port that distinguishes this process from others on the same machine. Leaf
 * does not listen on it. Defaults to server.port, or else 8080.
 * @param worker Source of the worker ID.
 * @param reportInterval How often the lease on the worker ID is renewed, from 1 second to
 * 10 minutes. Has no effect if leaf.snowflake.worker.source is 'file'.
 * @param leaseWindow How long IDs can be issued while the store of the leases is
 * unavailable, from 10 seconds to 7 days. Must be at least three times
 * leaf.snowflake.report-interval. The worker ID of a process that was killed stays
 * reserved for up to this long. If leaf.snowflake.max-lanes is above 1, an additional
 * worker ID that has not been needed for this long is released. Has no effect if
 * leaf.snowflake.worker.source is 'file'.
 * @param stateDir Folder of the state file. A process that restarts while the store of
 * the leases is unavailable can resume its lease from this file. Required if
 * leaf.snowflake.worker.source is 'file'. The state file is then the only record of the
 * timestamps that have been used, and if this record is lost, IDs may be issued twice.
 * The files that Leaf creates in the folder belong to the user of the process, and on
 * Unix, other users except root cannot access them. Defaults to the folder leaf-USER in
 * the temporary directory, where USER is the name of the user of the process; there is no
 * default if leaf.snowflake.worker.source is 'file'.
 * @param maxLead How far the timestamps of issued IDs may run ahead of the clock, from 0
 * milliseconds to 10 seconds.
 * @param maxLanes How many worker IDs this process may use at the same time, from 1 to
 * 64. Has no effect if leaf.snowflake.worker.source is 'file'.
 * @param acquireTimeout Maximum time that a caller waits if no ID can be issued
 * immediately, from 1 millisecond to 10 minutes.
 * @param clock Clock of this machine.
 * @param zookeeper Connection to ZooKeeper.
 */
@ConfigurationProperties("leaf.snowflake")
public record LeafSnowflakeProperties(@DefaultValue("false") boolean enabled, @DefaultValue Layout layout,
		@Nullable String host, @Nullable String port, @DefaultValue Worker worker,
		@DefaultValue("3s") Duration reportInterval, @DefaultValue("1h") Duration leaseWindow,
		@Nullable String stateDir, @DefaultValue("100ms") Duration maxLead, @DefaultValue("1") int maxLanes,
		@DefaultValue("2s") Duration acquireTimeout, @DefaultValue Clock clock, @DefaultValue Zookeeper zookeeper) {

	public static final String PREFIX = "leaf.snowflake";

	private static final String LAYOUT = PREFIX + ".layout";

	/**
	 * Returns the settings of the generator.
	 * @param now the present time, at which the layout must not have run out
	 * @throws LeafStartupException if the bits of the layout add up to more than 63
	 * @throws InvalidConfigurationPropertyValueException if a value is not valid
	 */
	public SnowflakeSettings settings(Instant now) {
		PropertyRanges ranges = new PropertyRanges(PREFIX);
		ranges.requireBetween("max-lead", this.maxLead, Duration.ZERO, Duration.ofSeconds(10));
		ranges.requireBetween("max-lanes", this.maxLanes, 1, SnowflakeSettings.MAX_LANES);
		ranges.requireBetween("acquire-timeout", this.acquireTimeout, Duration.ofMillis(1), Duration.ofMinutes(10));
		ranges.requireBetween("clock.max-drift", this.clock.maxDrift(), Duration.ofSeconds(1), Duration.ofDays(7));
		return new SnowflakeSettings(layout(now), this.maxLead, this.maxLanes, this.acquireTimeout);
	}

	/**
	 * Returns the settings of the leases.
	 * @param name the name under which the application issues IDs
	 * @param label the label of this process, {@code host:port}
	 * @throws InvalidConfigurationPropertyValueException if a value is out of range
	 */
	public LeaseSettings leaseSettings(String name, String label) {
		PropertyRanges ranges = new PropertyRanges(PREFIX);
		ranges.requireBetween("report-interval", this.reportInterval, Duration.ofSeconds(1), Duration.ofMinutes(10));
		ranges.requireBetween("lease-window", this.leaseWindow, Duration.ofSeconds(10), Duration.ofDays(7));
		Duration shortest = this.reportInterval.multipliedBy(LeaseSettings.MIN_INTERVALS);
		ranges.require("lease-window", this.leaseWindow, this.leaseWindow.compareTo(shortest) >= 0,
				"at least %s, which is %d times leaf.snowflake.report-interval".formatted(DurationText.of(shortest),
						LeaseSettings.MIN_INTERVALS));
		if (this.worker.source() == Source.FILE) {
			return LeaseSettings.ofFile(name, label, this.clock.maxDrift());
		}
		return new LeaseSettings(name, label, this.reportInterval, this.leaseWindow, this.clock.maxDrift());
	}

	/**
	 * Returns the folder of the state files.
	 * @throws InvalidConfigurationPropertyValueException if the path is not valid
	 */
	public Path stateDirectory() {
		if (this.stateDir != null) {
			return path("state-dir", this.stateDir);
		}
		// each user of the machine has a separate folder, because a state file can be
		// accessed only by the user who created it
		return Path.of(System.getProperty("java.io.tmpdir"), "leaf-" + System.getProperty("user.name"));
	}

	/**
	 * Returns the folder of the state file that is the lease record of a fixed worker ID.
	 * The folder must never be cleared. There is no default, because Leaf cannot know
	 * which folders are never cleared.
	 * @throws LeafStartupException if no folder is set
	 * @throws InvalidConfigurationPropertyValueException if the path is not valid
	 */
	public Path leaseRecordDirectory() {
		if (this.stateDir == null) {
			throw new LeafStartupException(
					"The property leaf.snowflake.worker.source is file, but leaf.snowflake.state-dir is not set.",
					"Set leaf.snowflake.state-dir to a folder that is never cleared, on a local disk or, in a container, on a volume. The state file in this folder records up to which time the worker ID has been used. If the file is lost, IDs may be issued twice.");
		}
		return stateDirectory();
	}

	private static Path path(String name, String value) {
		// an empty path would be the working directory
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
	 * @param layout the layout, which limits the worker ID
	 * @throws LeafStartupException if no worker ID is set
	 * @throws InvalidConfigurationPropertyValueException if the worker ID is out of range
	 */
	public long workerId(SnowflakeLayout layout) {
		Long id = this.worker.id();
		if (id == null) {
			throw new LeafStartupException(
					"The property leaf.snowflake.worker.source is file, but leaf.snowflake.worker.id is not set.",
					"Set leaf.snowflake.worker.id to a number from 0 to %d that no other process uses."
						.formatted(layout.maxWorkerId()));
		}
		new PropertyRanges(PREFIX).requireBetween("worker.id", id, 0L, layout.maxWorkerId());
		return id;
	}

	/**
	 * Returns the layout. Properties that are not set have the value of the preset.
	 * @param now the present time, at which the layout must not have run out
	 * @throws LeafStartupException if the bits of the layout add up to more than 63
	 * @throws InvalidConfigurationPropertyValueException if a value is not valid
	 */
	public SnowflakeLayout layout(Instant now) {
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
					"Lower %1$s.timestamp-bits, %1$s.worker-bits or %1$s.sequence-bits. Unset properties have the value of %1$s.preset=%2$s."
						.formatted(LAYOUT, lowerCase(this.layout.preset())));
		}
		SnowflakeLayout layout;
		try {
			layout = new SnowflakeLayout(timestampBits, workerBits, sequenceBits, unit, epoch);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(".epoch", epoch,
					"It must be a time since 1970 in whole %ss (%s.unit=%s), such as 2026-01-01T00:00:00Z%s".formatted(
							(unit == Unit.SECONDS) ? "second" : "millisecond", LAYOUT, lowerCase(unit),
							presetsEpoch()));
		}
		if (epoch.isAfter(now)) {
			throw invalid(".epoch", epoch, "It must not be in the future, and the present time is %s"
				.formatted(now.truncatedTo(ChronoUnit.SECONDS)));
		}
		if (!layout.exhaustedAt().isAfter(now)) {
			throw invalid(".epoch", epoch,
					"With %1$s.timestamp-bits=%2$d and %1$s.unit=%3$s this layout ran out at %4$s. Set a later %1$s.epoch or more %1$s.timestamp-bits. IDs of the changed layout may be equal to IDs that have already been issued%5$s"
						.formatted(LAYOUT, timestampBits, lowerCase(unit), layout.exhaustedAt(), presetsEpoch()));
		}
		return layout;
	}

	private String presetsEpoch() {
		return (this.layout.epoch() != null) ? "" : ". No epoch is set, so the epoch of %s.preset=%s applies"
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
	 * Source of the worker ID.
	 *
	 * @param source Source of worker IDs: ZooKeeper, the table leaf_worker ('jdbc'), Leaf
	 * servers with that table ('server'), or leaf.snowflake.worker.id ('file'). With
	 * 'file', a file in leaf.snowflake.state-dir records which timestamps have been used.
	 * @param id Worker ID of this process: in the default layout, from 0 to 1023. In a
	 * layout with another number of bits for the worker ID
	 * (leaf.snowflake.layout.worker-bits), the upper limit is the largest number that
	 * fits into these bits. Required if leaf.snowflake.worker.source is 'file', and
	 * ignored otherwise. Each process must have a different worker ID.
	 */
	public record Worker(@DefaultValue("zookeeper") Source source, @Nullable Long id) {

	}

	/**
	 * The sources of worker IDs.
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
		 * A fixed worker ID, with a file that records which timestamps have been used.
		 */
		FILE,

		/**
		 * Leaf servers, which keep the leases in their table leaf_worker.
		 */
		SERVER

	}

	/**
	 * Clock of this machine.
	 *
	 * @param maxDrift How far the clock of this machine may differ from a reference at
	 * startup, from 1 second to 7 days. The reference is the median of the clocks of the
	 * live members: processes with the same leaf.name that have recently renewed a lease,
	 * and servers of Meituan's Leaf that have recently written their node. If there are
	 * fewer than three live members, the reference is the clock of the store of the
	 * leases. If this store is unavailable, or if leaf.snowflake.worker.source is 'file',
	 * the clock must not be behind the timestamps in the state file by more than this
	 * value. After startup, health is WARNING while the wall clock differs from the
	 * generator's clock by more than this value.
	 */
	public record Clock(@DefaultValue("10s") Duration maxDrift) {

	}

	/**
	 * Connection to ZooKeeper.
	 *
	 * @param connectString Addresses of the ZooKeeper servers, such as zk1:2181,zk2:2181.
	 * May end with a path, which is created if it is missing. If this property is set, a
	 * CuratorFramework bean is not used. A LeafZooKeeperConnectionDetails bean, for
	 * example from Testcontainers, takes precedence over this property and over a
	 * CuratorFramework bean. Defaults to the addresses of the CuratorFramework bean, if
	 * there is exactly one.
	 * @param auth Digest credentials, as user:password. Leaf creates nodes below
	 * /snowflake with an ACL that admits only these credentials, but does not change the
	 * ACLs of existing nodes. Does not apply to a CuratorFramework bean.
	 * @param sessionTimeout How long ZooKeeper keeps the session after the last message
	 * from the process, from 1 second to 5 minutes. A request that gets no answer within
	 * this time fails. Does not apply to a CuratorFramework bean.
	 * @param connectionTimeout How long to wait for a connection at startup, from 1
	 * second to 5 minutes. Does not apply to a CuratorFramework bean.
	 */
	public record Zookeeper(@Nullable String connectString, @Nullable String auth,
			@DefaultValue("6s") Duration sessionTimeout, @DefaultValue("10s") Duration connectionTimeout) {

		/**
		 * Checks that the timeouts are in range.
		 */
		public void checkTimeouts() {
			PropertyRanges ranges = new PropertyRanges(LeafSnowflakeProperties.PREFIX + ".zookeeper");
			Duration longest = Duration.ofMinutes(5);
			ranges.requireBetween("session-timeout", this.sessionTimeout, Duration.ofSeconds(1), longest);
			ranges.requireBetween("connection-timeout", this.connectionTimeout, Duration.ofSeconds(1), longest);
		}

		@Override
		public String toString() {
			// the toString() of a record would contain auth, and with it the password
			return "Zookeeper[connectString=" + this.connectString + "]";
		}

	}

	/**
	 * How the bits of an ID are divided.
	 *
	 * @param preset Predefined layout that supplies the values of all layout properties
	 * that are not set: 'leaf', the layout of Meituan's Leaf; 'baidu', the layout of
	 * Baidu's uid-generator with a later epoch; or 'js-safe', a layout with IDs of 53
	 * bits, which JavaScript represents exactly.
	 * @param timestampBits Number of bits for the timestamp, from 1 to 63. The bits for
	 * timestamp, worker ID and sequence must add up to at most 63. Defaults to the
	 * preset's.
	 * @param workerBits Number of bits for the worker ID, from 0 to 31. Defaults to the
	 * preset's.
	 * @param sequenceBits Number of bits for the sequence, from 0 to 31. The sequence
	 * distinguishes IDs with the same timestamp and worker ID. Defaults to the preset's.
	 * @param unit Unit in which the timestamp counts the time since the epoch. Defaults
	 * to the preset's.
	 * @param epoch Time at which the timestamp is 0, such as 2026-01-01T00:00:00Z. Must
	 * not be in the future. Defaults to the preset's.
	 */
	public record Layout(@DefaultValue("leaf") Preset preset, @Nullable Integer timestampBits,
			@Nullable Integer workerBits, @Nullable Integer sequenceBits, @Nullable Unit unit, @Nullable String epoch) {

	}

	/**
	 * The predefined layouts.
	 */
	public enum Preset {

		/**
		 * 41 bits of milliseconds, 10 bits for the worker ID and 12 for the sequence, as
		 * in Meituan's Leaf.
		 */
		LEAF(SnowflakeLayout.LEAF),

		/**
		 * 28 bits of seconds, 22 bits for the worker ID and 13 for the sequence.
		 */
		BAIDU(SnowflakeLayout.BAIDU),

		/**
		 * 41 bits of milliseconds, 6 bits for the worker ID and 6 for the sequence, so
		 * that JavaScript represents each ID exactly.
		 */
		JS_SAFE(SnowflakeLayout.JS_SAFE);

		private final SnowflakeLayout layout;

		Preset(SnowflakeLayout layout) {
			this.layout = layout;
		}

	}

}
