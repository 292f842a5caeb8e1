// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.leaf.autoconfigure.LeafSegmentProperties.Datasource;
import io.leaf.segment.jdbc.OwnConnections;
import org.jspecify.annotations.Nullable;

/**
 * HikariCP, used such that it connects soon after a database is available again.
 * <p>
 * If connecting fails, HikariCP waits twice as long before each further attempt, up to
 * five seconds, and begins anew only once nobody waits for a connection. With two threads
 * and many keys somebody always does. So once an attempt has failed and until one
 * succeeds, one thread at a time waits for HikariCP, and after each failure none for a
 * moment, in which HikariCP notices. It is then never more than two thirds of a second
 * from its next attempt. Few threads wait for their turn: two of the generator, and the
 * one that keeps the leases.
 */
final class SoonBackPool extends HikariDataSource {

	/**
	 * HikariCP's waits of 10, 20, … 640 ms end 270 ms after a thread that waited for a
	 * second has gone.
	 */
	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

	/**
	 * Longer than any healthy statement here takes. The stores limit their statements
	 * themselves; a script that creates tables has no other limit, and drivers wait for
	 * an answer without one by default.
	 */
	private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(10);

	// fair: the thread that keeps the leases must get its turn, too
	private final Semaphore turn = new Semaphore(1, true);

	// by the monotonic clock; null if the last attempt has succeeded
	private volatile @Nullable Long failedAt;

	private final HikariConfig credentials;

	private final Datasource overrides;

	/**
	 * Creates a pool that starts with the first connection asked for.
	 * @param config what it is like
	 * @param credentials whose credentials it connects with: those that are valid at that
	 * moment
	 * @param overrides credentials that take precedence
	 */
	SoonBackPool(HikariConfig config, HikariConfig credentials, Datasource overrides) {
		config.copyStateTo(this);
		this.credentials = credentials;
		this.overrides = overrides;
	}

	@Override
	public Credentials getCredentials() {
		Credentials known = this.credentials.getCredentials();
		return Credentials.of(or(this.overrides.username(), known.getUsername()),
				or(this.overrides.password(), known.getPassword()));
	}

	// asked instead of the other if an application sets
	// com.zaxxer.hikari.legacy.supportUserPassDataSourceOverride
	@Override
	public @Nullable String getUsername() {
		return or(this.overrides.username(), this.credentials.getUsername());
	}

	@Override
	public @Nullable String getPassword() {
		return or(this.overrides.password(), this.credentials.getPassword());
	}

	private static @Nullable String or(@Nullable String override, @Nullable String known) {
		return (override != null) ? override : known;
	}

	@Override
	public Connection getConnection() throws SQLException {
		if (this.failedAt == null) {
			return connect();
		}
		try {
			this.turn.acquire();
			try {
				Long last = this.failedAt;
				if (last != null) {
					TimeUnit.NANOSECONDS.sleep(last + PAUSE_NANOS - System.nanoTime());
				}
				return connect();
			}
			finally {
				this.turn.release();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SQLException("Interrupted while waiting for a connection", ex);
		}
	}

	private Connection connect() throws SQLException {
		try {
			Connection connection = super.getConnection();
			this.failedAt = null;
			OwnConnections.limit(connection, NETWORK_TIMEOUT);
			return connection;
		}
		catch (SQLException ex) {
			this.failedAt = System.nanoTime();
			throw ex;
		}
	}

}
