// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.time.Duration;
import java.util.Map;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leaf.jdbc.TableName;
import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentSettings;
import io.leaf.segment.jdbc.JdbcSegmentStore;

/**
 * A generator with its own small connection pool, as in a process of its own.
 */
final class PooledGenerator implements AutoCloseable {

	private static final int CONNECTIONS = 2;

	private final HikariDataSource pool;

	private final SegmentIdGenerator generator;

	/**
	 * Starts a generator, which reads the rows.
	 * @param database the database
	 * @param url the JDBC URL
	 */
	PooledGenerator(Database database, String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setUsername(database.username());
		config.setPassword(database.password());
		config.setMaximumPoolSize(CONNECTIONS);
		config.setMinimumIdle(1);
		this.pool = new HikariDataSource(config);
		this.generator = new SegmentIdGenerator(new JdbcSegmentStore(this.pool, new TableName("leaf_alloc")),
				new SegmentSettings(0.1, Duration.ofMinutes(15), 1_000_000, Duration.ofSeconds(2),
						Duration.ofSeconds(60), false, true, 0, Ordering.STRICT, true, Map.of(), true));
		this.generator.start();
	}

	SegmentIdGenerator generator() {
		return this.generator;
	}

	@Override
	public void close() {
		this.generator.close();
		this.pool.close();
	}

}
