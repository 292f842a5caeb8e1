// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.sql.DataSource;

import io.leaf.test.server.MeituanLeafTransaction;
import org.jspecify.annotations.Nullable;

/**
 * The segment mode of a server of Meituan's Leaf, as published on GitHub in 2020. A key
 * has two segments. A call that finds more than a tenth of the current segment used
 * starts the fetch of the next one. Steps double and halve. If no ID is left, the server
 * returns a code instead of an ID.
 */
final class MeituanLeafSegments implements AutoCloseable {

	private static final int MAX_STEP = 1_000_000;

	private static final long TARGET = Duration.ofMinutes(15).toMillis();

	private final DataSource dataSource;

	private final Map<String, Buffer> buffers = new ConcurrentHashMap<>();

	private final ExecutorService updates = Executors.newCachedThreadPool();

	MeituanLeafSegments(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	/**
	 * Reads the keys.
	 */
	void start() throws SQLException {
		try (Connection connection = this.dataSource.getConnection();
				Statement statement = connection.createStatement();
				ResultSet keys = statement.executeQuery("SELECT biz_tag FROM leaf_alloc")) {
			while (keys.next()) {
				this.buffers.put(keys.getString(1), new Buffer(keys.getString(1)));
			}
		}
	}

	/**
	 * Returns an ID, or -2 if the key did not exist at startup, or -3 if both segments
	 * are used up.
	 */
	long get(String key) {
		Buffer buffer = this.buffers.get(key);
		return (buffer != null) ? buffer.get() : -2;
	}

	// the server itself has no such method, because its process ends
	@Override
	public void close() {
		this.updates.shutdownNow();
	}

	/**
	 * The segments of a key.
	 */
	private final class Buffer {

		private final String key;

		private @Nullable Segment current;

		private @Nullable Segment next;

		private boolean updating;

		private int loads;

		private int step;

		private int rowStep;

		private long loadedAt;

		Buffer(String key) {
			this.key = key;
		}

		synchronized long get() {
			if (this.current == null) {
				this.current = load();
			}
			if (this.next == null && this.current.remaining() < 0.9 * this.current.step && !this.updating) {
				this.updating = true;
				MeituanLeafSegments.this.updates.execute(this::update);
			}
			if (this.current.remaining() == 0) {
				if (this.next == null) {
					return -3;
				}
				this.current = this.next;
				this.next = null;
			}
			return this.current.value++;
		}

		private void update() {
			Segment loaded = null;
			try {
				loaded = load();
			}
			finally {
				finish(loaded);
			}
		}

		private synchronized void finish(@Nullable Segment loaded) {
			this.next = loaded;
			this.updating = false;
		}

		// one load at a time: a caller loads the first segment, a background update the
		// others
		private Segment load() {
			try (Connection connection = MeituanLeafSegments.this.dataSource.getConnection()) {
				long now = System.currentTimeMillis();
				MeituanLeafTransaction.Row row;
				if (this.loads < 2) {
					row = MeituanLeafTransaction.allocate(connection, this.key);
					this.step = row.step();
				}
				else {
					this.step = nextStep(now - this.loadedAt);
					row = MeituanLeafTransaction.allocate(connection, this.key, this.step);
				}
				this.rowStep = row.step();
				this.loads++;
				this.loadedAt = now;
				return new Segment(row.maxId(), this.step);
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private int nextStep(long lasted) {
			if (lasted < TARGET) {
				return (this.step * 2 <= MAX_STEP) ? this.step * 2 : this.step;
			}
			return (lasted >= 2 * TARGET && this.step / 2 >= this.rowStep) ? this.step / 2 : this.step;
		}

	}

	/**
	 * A block of {@code step} numbers up to {@code end}, exclusive.
	 */
	private static final class Segment {

		private final long end;

		private final int step;

		private long value;

		Segment(long end, int step) {
			this.end = end;
			this.step = step;
			this.value = end - step;
		}

		long remaining() {
			return this.end - this.value;
		}

	}

}
