// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentSettings;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.segment.jdbc.TableName;

/**
 * Stands for a process with a generator, which has a small pool of its own.
 */
final class PooledGenerator implements AutoCloseable {

	private static final int CONNECTIONS = 2;

	private final HikariDataSource pool;

	private final SegmentIdGenerator generator;

	/**
	 * Starts a generator: reads the rows.
	 * @param database the database
	 * @param url the way to it
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
				SegmentSettings.DEFAULTS);
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
