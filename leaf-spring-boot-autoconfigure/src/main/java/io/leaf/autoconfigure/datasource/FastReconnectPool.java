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
 * A HikariCP pool that reconnects soon after the database has become available again.
 * <p>
 * If connecting fails, HikariCP doubles the delay before each further attempt, up to five
 * seconds. HikariCP begins again with the shortest delay only after a moment in which no
 * thread waits for a connection. If two threads fetch for many keys, there is no such
 * moment while the database is unavailable, because at least one of the threads is always
 * waiting.
 * <p>
 * Therefore, from a failed attempt until the next success, this pool lets only one thread
 * at a time wait for HikariCP, and pauses after each failure. During the pause, no thread
 * waits for HikariCP. As a result, once the threads that waited at the beginning of the
 * outage have given up, HikariCP delays no attempt by more than two thirds of a second,
 * unless the duration of the attempts varies. Few threads wait for their turn: two
 * threads of the generator, and the thread that renews the leases.
 */
final class FastReconnectPool extends HikariDataSource {

	/**
	 * How long the pool pauses after a failure. The waiting thread gives up after one
	 * second, and the pause begins. HikariCP's delays are 10, 20, 40, … ms, so the
	 * longest one that can begin within this second is 640 ms. It ends during the pause,
	 * while no thread waits, so that the next delay is 10 ms again.
	 */
	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

	/**
	 * How long a statement without a limit of its own, such as a statement of a script
	 * that creates tables, waits for an answer. By default, drivers wait without limit.
	 * The stores set limits of their own, some of which are longer.
	 */
	private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(10);

	// fair, so that the thread that renews the leases also gets its turn
	private final Semaphore turn = new Semaphore(1, true);

	// the time of the monotonic clock at which the last attempt failed; null if it
	// succeeded, or if there was no attempt
	private volatile @Nullable Long failedAt;

	private final HikariConfig credentials;

	private final Datasource overrides;

	/**
	 * Creates a pool that starts when the first connection is requested.
	 * @param config the configuration of the pool
	 * @param credentials provides the credentials, which are read for each connection
	 * @param overrides a user name or password that replaces the one in {@code
	 * credentials}, if it is set
	 */
	FastReconnectPool(HikariConfig config, HikariConfig credentials, Datasource overrides) {
		config.copyStateTo(this);
		this.credentials = credentials;
		this.overrides = overrides;
	}

	@Override
	public Credentials getCredentials() {
		return override(this.credentials.getCredentials(), this.overrides);
	}

	static Credentials override(Credentials known, Datasource overrides) {
		return Credentials.of(or(overrides.username(), known.getUsername()),
				or(overrides.password(), known.getPassword()));
	}

	// HikariCP calls getUsername() and getPassword() instead of getCredentials() if an
	// application sets com.zaxxer.hikari.legacy.supportUserPassDataSourceOverride
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
		Connection connection = take();
		try {
			OwnConnections.limit(connection, NETWORK_TIMEOUT);
			return connection;
		}
		catch (RuntimeException | Error ex) {
			connection.close();
			throw ex;
		}
	}

	private Connection take() throws SQLException {
		try {
			Connection connection = super.getConnection();
			this.failedAt = null;
			return connection;
		}
		catch (SQLException ex) {
			this.failedAt = System.nanoTime();
			throw ex;
		}
		// after a failure of another kind, such as an OutOfMemoryError, the pool may
		// count a connection as in use forever; a larger maximum size of the pool lets
		// another connection take its place
		catch (RuntimeException | Error ex) {
			setMaximumPoolSize(getMaximumPoolSize() + 1);
			throw ex;
		}
	}

}
