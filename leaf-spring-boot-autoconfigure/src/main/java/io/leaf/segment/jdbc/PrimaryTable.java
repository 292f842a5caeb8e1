// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import io.leaf.jdbc.JdbcFailures;
import io.leaf.jdbc.OwnConnections;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.jdbc.Dialect.Target;
import io.leaf.segment.jdbc.FailoverGap.Found;
import io.leaf.segment.jdbc.FailoverGap.Primary;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;

/**
 * The SQL statements of {@link FailoverGap}. They read and write the table
 * {@code leaf_primary}, and raise the counters.
 */
final class PrimaryTable {

	private static final Logger logger = LoggerFactory.getLogger(PrimaryTable.class);

	/**
	 * How long it may take to raise all counters, which changes every row of the segment
	 * table.
	 */
	private static final Duration RAISE_TIMEOUT = Duration.ofSeconds(60);

	private static final JdbcFailures.Advice ADVICE = new JdbcFailures.Advice(
			"Grant SELECT, INSERT and UPDATE on the table, or set leaf.segment.failover-gap=0",
			"Create the table with the script for your database (%s), or set leaf.segment.initialize-schema=always or leaf.segment.failover-gap=0"
				.formatted(JdbcFailures.SCRIPTS),
			"Give the table the columns table_name, server, failovers, gap, raised, version and raised_at, as in the scripts (%s)"
				.formatted(JdbcFailures.SCRIPTS));

	/**
	 * The UUID that a MySQL server keeps in its data directory. Replication works only
	 * between servers with different UUIDs.
	 */
	private static final String MYSQL_SERVER = "@@server_uuid";

	/**
	 * MariaDB has no {@code @@server_uuid}, so its servers are distinguished by host
	 * name, port and server ID.
	 */
	private static final String MARIADB_SERVER = "CONCAT(@@hostname, ':', @@port, ':', @@server_id)";

	/**
	 * A standby of PostgreSQL has the same system identifier as its primary, but begins a
	 * new timeline when it is promoted. So the former and the new primary differ in their
	 * timeline, which is the first eight digits of the name of a WAL file. On a standby,
	 * this expression fails.
	 */
	private static final String POSTGRESQL_SERVER = "(SELECT system_identifier || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) FROM pg_control_system())";

	/**
	 * Makes a SELECT read what is committed on the primary server, even at the isolation
	 * level READ UNCOMMITTED or behind a proxy that splits reads and writes.
	 */
	private static final String LOCK = " FOR UPDATE";

	private final TableName segments;

	private final TableName name;

	private final OwnConnections connections;

	private volatile String server = "''";

	/**
	 * Creates an instance.
	 * @param dataSource the database of the tables
	 * @param segments the segment table
	 */
	PrimaryTable(DataSource dataSource, TableName segments) {
		this.segments = segments;
		this.name = segments.inSameSchema("leaf_primary");
		this.connections = new OwnConnections(dataSource,
				new JdbcFailures(this.name, ADVICE, SegmentStoreException::new));
	}

	/**
	 * Returns the condition for a statement that changes counters.
	 * @param seen the record whose version must still be in {@code leaf_primary}
	 */
	Condition condition(PrimaryRecord seen) {
		return new Condition(
				" FROM %s WHERE table_name = ? AND version = ? AND server = %s".formatted(this.name, this.server),
				List.of(this.segments.value(), seen.version()));
	}

	/**
	 * Finds out how to identify the server, and returns the row of {@code leaf_primary}
	 * for the segment table.
	 * @param target how to advance the counters
	 * @throws SegmentStoreException if servers of the database cannot be identified, or
	 * if its configuration does not allow the counters to be raised
	 */
	Primary row(Target target) {
		String server = this.connections.execute((jdbc) -> server(jdbc, target));
		this.server = server;
		return new Row(target, server);
	}

	/**
	 * Returns the SQL expression that identifies the server which executes it.
	 */
	private String server(JdbcTemplate jdbc, Target target) {
		String product = OwnConnections.product(jdbc);
		if (target.mySql()) {
			// with binlog_format=STATEMENT, a replica executes the same statements as the
			// primary server. But on the replica, they would change nothing, because
			// leaf_primary names the primary server
			if ("STATEMENT".equals(jdbc.queryForObject("SELECT @@binlog_format", String.class))) {
				throw new SegmentStoreException(
						"The database of table %s has binlog_format=STATEMENT, so leaf.segment.failover-gap would make replicas differ from their source. Set binlog_format to ROW or MIXED, or leaf.segment.failover-gap to 0"
							.formatted(this.segments),
						null, true);
			}
			// with sql_safe_updates=1, the counters cannot be raised. Without this check,
			// that would be noticed only after a failover
			if ("1".equals(jdbc.queryForObject("SELECT @@sql_safe_updates", String.class))) {
				throw new SegmentStoreException(
						"A session with the database of table %s has sql_safe_updates=1, so leaf.segment.failover-gap cannot raise all counters. Set sql_safe_updates or leaf.segment.failover-gap to 0"
							.formatted(this.segments),
						null, true);
			}
			// MySQL's driver also reports MariaDB as MySQL
			boolean mariaDb = String.valueOf(jdbc.queryForObject("SELECT VERSION()", String.class)).contains("MariaDB");
			return mariaDb ? MARIADB_SERVER : MYSQL_SERVER;
		}
		if (product.equals("PostgreSQL")) {
			return POSTGRESQL_SERVER;
		}
		throw new SegmentStoreException(
				"The property leaf.segment.failover-gap is set, but Leaf cannot distinguish servers of %s. Set leaf.segment.failover-gap to 0"
					.formatted(product),
				null, true);
	}

	/**
	 * The condition that the row of {@code leaf_primary} for the segment table has a
	 * certain version and server.
	 *
	 * @param row the FROM and WHERE clauses of a SELECT that returns the row, or empty if
	 * there is no condition
	 * @param arguments the values of the placeholders in these clauses
	 */
	record Condition(String row, List<Object> arguments) {

		static final Condition NONE = new Condition("", List.of());

		/**
		 * Returns the condition as a part of a WHERE clause.
		 */
		Criterion criterion() {
			return this.row.isEmpty() ? Criterion.NONE
					: new Criterion(" AND EXISTS (SELECT 1%s)".formatted(this.row), this.arguments);
		}

		/**
		 * Returns the end of an INSERT that inserts a row only if the condition is met.
		 * Without a condition, the end is a VALUES clause, because not every database
		 * supports a SELECT without FROM.
		 * @param values the values of the row to insert, separated by commas
		 */
		String values(String values) {
			return this.row.isEmpty() ? "VALUES (%s)".formatted(values) : "SELECT " + values + this.row;
		}

		/**
		 * Returns whether the condition is met.
		 * @param jdbc the connection to use
		 */
		boolean isMet(JdbcTemplate jdbc) {
			return this.row.isEmpty()
					|| !jdbc.queryForList("SELECT 1" + this.row + LOCK, this.arguments.toArray()).isEmpty();
		}

	}

	private final class Row implements Primary {

		private final Target target;

		private final String server;

		Row(Target target, String server) {
			this.target = target;
			this.server = server;
		}

		@Override
		public @Nullable Found find() {
			DatabaseClock clock = Objects.requireNonNull(this.target.clock());
			String select = "SELECT server, failovers, gap, raised, version, raised_at, %s, %s FROM %s WHERE table_name = ?%s"
				.formatted(this.server, clock.column(), PrimaryTable.this.name, LOCK);
			RowMapper<Found> mapper = (row, index) -> new Found(PrimaryRecord.of(row.getString(1), row.getLong(2),
					row.getLong(3), row.getLong(4), row.getLong(5), row.getString(6)), row.getString(7),
					clock.read(row, 8));
			List<Found> rows = PrimaryTable.this.connections
				.execute((jdbc) -> jdbc.query(select, mapper, PrimaryTable.this.segments.value()));
			return rows.isEmpty() ? null : rows.get(0);
		}

		@Override
		public void add(boolean here, long version) {
			String insert = "INSERT INTO %s (table_name, server, failovers, gap, raised, version, raised_at) VALUES (?, %s, 0, 0, 0, ?, '')"
				.formatted(PrimaryTable.this.name, here ? this.server : "''");
			try {
				PrimaryTable.this.connections.execute((jdbc) -> {
					PrimaryTable.this.connections.requireCommits(jdbc);
					return jdbc.update(insert, PrimaryTable.this.segments.value(), version);
				});
			}
			catch (SegmentStoreException ex) {
				if (!(ex.getCause() instanceof DuplicateKeyException)) {
					throw ex;
				}
				logger.debug("Another process has already added the row to leaf_primary", ex);
			}
		}

		@Override
		public void raise(PrimaryRecord former, PrimaryRecord next, long numbers) {
			PrimaryTable.this.connections.execute(RAISE_TIMEOUT, (jdbc) -> {
				PrimaryTable.this.connections.requireCommits(jdbc);
				return raise(jdbc, former, next, numbers);
			});
		}

		private int raise(JdbcTemplate jdbc, PrimaryRecord former, PrimaryRecord next, long numbers) {
			long raise = Math.min(numbers, this.target.maxEnd());
			long last = this.target.maxEnd() - raise;
			String table = PrimaryTable.this.segments.value();
			Criterion inTime = Objects.requireNonNull(this.target.clock()).notAfter(next.raisedAt().get(0));
			Object latest = inTime.arguments().get(0);
			if (this.target.mySql()) {
				return jdbc.update(
						"UPDATE %s p LEFT JOIN %s a ON 1 = 1 SET a.max_id = GREATEST(a.max_id, LEAST(a.max_id, ?) + ?), p.server = ?, p.failovers = ?, p.gap = ?, p.raised = ?, p.version = ?, p.raised_at = ? WHERE p.table_name = ? AND p.version = ? AND %s = ?%s%s"
							.formatted(PrimaryTable.this.name, table, this.server, inTime.sql(), Dialect.COMMITS),
						last, raise, next.server(), next.failovers(), next.gap(), next.raised(), next.version(),
						next.times(), table, former.version(), next.server(), latest);
			}
			return jdbc.update(
					"WITH changed AS (UPDATE %s SET server = ?, failovers = ?, gap = ?, raised = ?, version = ?, raised_at = ? WHERE table_name = ? AND version = ? AND %s = ?%s RETURNING 1) UPDATE %s SET max_id = GREATEST(max_id, LEAST(max_id, ?) + ?) WHERE EXISTS (SELECT 1 FROM changed)"
						.formatted(PrimaryTable.this.name, this.server, inTime.sql(), table),
					next.server(), next.failovers(), next.gap(), next.raised(), next.version(), next.times(), table,
					former.version(), next.server(), latest, last, raise);
		}

	}

}
