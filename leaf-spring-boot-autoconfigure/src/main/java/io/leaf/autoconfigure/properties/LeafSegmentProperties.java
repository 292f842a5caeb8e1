// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.leaf.jdbc.TableName;
import io.leaf.segment.KeyPeriod;
import io.leaf.segment.KeySettings;
import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentSettings;
import io.leaf.support.KeyPatterns;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Properties of segment mode.
 *
 * @param enabled Whether IDs are issued from segments. Defaults to 'true' if there is a
 * DataSource or SegmentStore bean, if leaf.segment.datasource.url is set, or if
 * leaf.segment.source is 'server'; otherwise 'false'.
 * @param source Source of segments: the table in a database ('jdbc'), or the Leaf servers
 * in leaf.server.urls ('server'), which hand out ranges from their table.
 * @param table Name of the table that holds the keys, optionally preceded by a schema.
 * The tables leaf_worker and leaf_primary, if Leaf uses them, must be in the same schema.
 * @param prefetchAt Fraction of a segment that is issued before Leaf fetches the next
 * segment, from 0 to 1.
 * @param targetDuration How long a segment should last, from 1 second to 365 days. Leaf
 * adapts the step to this duration.
 * @param maxStep Largest step that Leaf chooses for a key, from 1 to 1000000000. If the
 * step in the row of the key is larger, Leaf uses that step.
 * @param acquireTimeout Maximum time that a caller waits if too few numbers of the key
 * are in memory, from 1 millisecond to 10 minutes. A blocking call can wait twice as long
 * if the row of the key must be looked up first.
 * @param refreshInterval Interval at which the rows of all keys are read again, from 1
 * second to 1 day.
 * @param preload Whether to fetch the first segment of every key at startup.
 * @param failFast Whether startup fails if the table cannot be read or updated.
 * @param ordering Order of the IDs of each key that has neither an ordering of its own
 * nor a period. 'strict': each ID is larger than all IDs of the key that the same process
 * issued before. 'striped': the IDs ascend only approximately, but are issued faster if
 * many threads request IDs at the same time. 'global': the IDs ascend across all
 * processes, and each call waits for the database.
 * @param giveBack Whether unused numbers are returned to the table when the application
 * stops. Numbers cannot be returned if another process has allocated later numbers of the
 * key. Set to 'false' if a proxy in front of the database may execute a statement twice,
 * or if a proxy in front of Leaf servers may repeat a POST request.
 * @param failoverGap Amount by which Leaf raises the counters (max_id) of all keys after
 * each failover or switchover of the database, from 0 to 1000000000000. With 0, counters
 * are not raised. Raising them prevents duplicate IDs if the new primary has not received
 * all confirmed commits. For each key, the amount must be larger than the count of
 * numbers that were allocated in the commits that the new primary has not received. All
 * processes must set the same amount. Not suitable for clusters that take writes on
 * several servers at the same time. MySQL, MariaDB and PostgreSQL only.
 * @param maxDrift For keys with a period: how far the clock of the database may be behind
 * the period of the key's counter (max_id), from 0 to 1 hour. For example, after a
 * failover to a server whose clock is slow, the counter can be in a period that has not
 * begun on this clock. If the period begins within this time, Leaf already allocates its
 * numbers. Otherwise, Leaf allocates no numbers for the key until the clock is close
 * enough.
 * @param initializeSchema When to create Leaf's tables: 'always', 'never', or only in an
 * embedded in-memory database ('embedded'). Creates the table named by leaf.segment.table
 * and, in the same schema, leaf_worker and (except on H2) leaf_primary.
 * @param autoCreate Rows to add for keys that have none.
 * @param datasource Database of the table, if it is not the application's database.
 */
@ConfigurationProperties("leaf.segment")
public record LeafSegmentProperties(@Nullable Boolean enabled, @DefaultValue("jdbc") Source source,
		@DefaultValue("leaf_alloc") String table, @DefaultValue("0.1") double prefetchAt,
		@DefaultValue("15m") Duration targetDuration, @DefaultValue("1000000") long maxStep,
		@DefaultValue("2s") Duration acquireTimeout, @DefaultValue("60s") Duration refreshInterval,
		@DefaultValue("false") boolean preload, @DefaultValue("true") boolean failFast,
		@DefaultValue("strict") Ordering ordering, @DefaultValue("true") boolean giveBack,
		@DefaultValue("0") long failoverGap, @DefaultValue("10s") Duration maxDrift,
		@DefaultValue("embedded") SchemaInitialization initializeSchema, @DefaultValue AutoCreate autoCreate,
		@DefaultValue Datasource datasource) {

	public static final String PREFIX = "leaf.segment";

	/**
	 * Returns the settings of the generator.
	 * @param keys the settings of individual keys
	 * @throws InvalidConfigurationPropertyValueException if a value is out of range
	 */
	public SegmentSettings settings(Map<String, KeySettings> keys) {
		PropertyRanges ranges = new PropertyRanges(PREFIX);
		ranges.require("prefetch-at", this.prefetchAt, this.prefetchAt >= 0 && this.prefetchAt <= 1, "from 0 to 1");
		ranges.requireBetween("target-duration", this.targetDuration, Duration.ofSeconds(1), Duration.ofDays(365));
		ranges.requireBetween("max-step", this.maxStep, 1L, 1_000_000_000L);
		ranges.requireBetween("failover-gap", this.failoverGap, 0L, 1_000_000_000_000L);
		ranges.requireBetween("acquire-timeout", this.acquireTimeout, Duration.ofMillis(1), Duration.ofMinutes(10));
		ranges.requireBetween("refresh-interval", this.refreshInterval, Duration.ofSeconds(1), Duration.ofDays(1));
		ranges.requireBetween("auto-create.step", this.autoCreate.step(), 1, 1_000_000_000);
		ranges.requireBetween("max-drift", this.maxDrift, Duration.ZERO, Duration.ofHours(1));
		keys.forEach((key, settings) -> requireGapWithinPeriod(key, settings.period()));
		return SegmentSettings.builder()
			.prefetchAt(this.prefetchAt)
			.targetDuration(this.targetDuration)
			.maxStep(this.maxStep)
			.acquireTimeout(this.acquireTimeout)
			.refreshInterval(this.refreshInterval)
			.preload(this.preload)
			.failFast(this.failFast)
			.autoCreateStep(this.autoCreate.enabled() ? this.autoCreate.step() : 0)
			.ordering(this.ordering)
			.giveBack(this.giveBack)
			.keys(keys)
			.aboveExistingIds(this.autoCreate.aboveExistingIds())
			.autoCreateKeys(new KeyPatterns(this.autoCreate.keys()))
			.build();
	}

	private void requireGapWithinPeriod(String key, @Nullable KeyPeriod period) {
		if (period != null && this.failoverGap > period.capacity()) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + ".failover-gap", this.failoverGap,
					"A failover would raise the counter of key '%s' beyond its period, which has %d numbers. Choose a smaller gap; or, if no number of the key has been issued, a larger leaf.keys.<key>.digits"
						.formatted(key, period.capacity()));
		}
	}

	/**
	 * Returns the name of the table.
	 * @throws InvalidConfigurationPropertyValueException if the name is not valid
	 */
	public TableName tableName() {
		try {
			return new TableName(this.table);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidConfigurationPropertyValueException(PREFIX + ".table", this.table,
					"It must be " + TableName.RULE);
		}
	}

	/**
	 * Where segments come from.
	 */
	public enum Source {

		/**
		 * Segments come from the table in a database.
		 */
		JDBC,

		/**
		 * Segments come from Leaf servers.
		 */
		SERVER

	}

	/**
	 * Rows to add for keys that have none.
	 *
	 * @param enabled Whether to add a row for each requested key that has none. Do not
	 * enable it if untrusted clients can choose keys.
	 * @param step Step of the added rows, from 1 to 1000000000.
	 * @param aboveExistingIds Whether the numbers of a key begin above the existing IDs
	 * when Leaf adds the row of the key because an entity is saved. Leaf then reads the
	 * largest ID in the entity's table before it adds the row.
	 * @param keys Keys for which a row may be added, separated by commas. '*' stands for
	 * any number of characters, as in 'order-*'.
	 */
	public record AutoCreate(@DefaultValue("false") boolean enabled, @DefaultValue("1000") int step,
			@DefaultValue("true") boolean aboveExistingIds, @DefaultValue("*") List<String> keys) {

		/**
		 * Returns whether a row is added for a key that has none.
		 */
		public boolean creates(String key) {
			return this.enabled && new KeyPatterns(this.keys).matches(key);
		}

	}

	/**
	 * Database of the table.
	 *
	 * @param url JDBC URL of the database that holds the table. Defaults to the
	 * application's.
	 * @param username User of the database that holds the table. Defaults to the
	 * application's.
	 * @param password Password of the database that holds the table. Defaults to the
	 * application's.
	 */
	public record Datasource(@Nullable String url, @Nullable String username, @Nullable String password) {

		public boolean isSet() {
			return this.url != null || this.username != null || this.password != null;
		}

		@Override
		public String toString() {
			// the toString() of a record would contain the password
			return "Datasource[username=" + this.username + "]";
		}

	}

}
