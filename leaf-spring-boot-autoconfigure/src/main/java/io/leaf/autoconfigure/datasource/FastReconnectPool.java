// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.leaf.autoconfigure.properties.LeafSegmentProperties.Datasource;
import io.leaf.jdbc.OwnConnections;
import org.jspecify.annotations.Nullable;

/**
 * A HikariCP pool that reconnects soon after its database is available again.
 * <p>
 * If connecting fails, HikariCP doubles its delay before each further attempt, up to five
 * seconds. It begins again with the shortest delay only after a moment in which no thread
 * waits for a connection. With two threads and many keys, a thread is always waiting.
 * <p>
 * This pool therefore lets threads take turns from a failed attempt until the next
 * success: one thread at a time waits for HikariCP, and after each failure none does for
 * a moment. HikariCP's next attempt is then never more than two thirds of a second away.
 * Few threads wait for their turn: two of the generator, and the one that renews the
 * leases.
 */
final class FastReconnectPool extends HikariDataSource {

	/**
	 * How long no thread waits for HikariCP after a failure. HikariCP's delays of 10, 20,
	 * … 640 ms last 1,270 ms in total, so they end 270 ms after a thread has given up
	 * that waited for a second.
	 */
	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

	/**
	 * For statements without a limit of their own, such as those of a script that creates
	 * tables: by default, drivers wait for an answer without limit. The stores set
	 * limits, some of which are longer.
	 */
	private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(10);

	// fair: the thread that renews the leases must also get its turn
	private final Semaphore turn = new Semaphore(1, true);

	// by the monotonic clock; null if the last attempt succeeded
	private volatile @Nullable Long failedAt;

	private final HikariConfig credentials;

	private final Datasource overrides;

	/**
	 * Creates a pool that starts when the first connection is requested.
	 * @param config the configuration of the pool
	 * @param credentials provides the credentials, which are read for each connection
	 * @param overrides credentials that take precedence
	 */
	FastReconnectPool(HikariConfig config, HikariConfig credentials, Datasource overrides) {
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

	// HikariCP calls these instead of getCredentials() if an application sets
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
		// such as an OutOfMemoryError: the pool may count a connection as in use forever,
		// and another one must be able to take its place
		catch (RuntimeException | Error ex) {
			setMaximumPoolSize(getMaximumPoolSize() + 1);
			throw ex;
		}
	}

}
