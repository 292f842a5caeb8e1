// SPDX-License-Identifier: Apache-2.0

package io.leaf.jdbc;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.SocketFactory;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.Databases;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Tests that a late answer is never mistaken for the answer to another statement: an
 * Error interrupts the driver before it reads an answer, which arrives later.
 */
class InterruptedAnswerIT {

	private static final AtomicReference<@Nullable Error> NEXT = new AtomicReference<>();

	private static HikariDataSource pool(DatabaseServer server, String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setUsername(server.username());
		config.setPassword(server.password());
		config.setMaximumPoolSize(1);
		config.addDataSourceProperty("socketFactory", Sockets.class.getName());
		return new HikariDataSource(config);
	}

	private static @Nullable Allocation allocate(JdbcSegmentStore store, String key) {
		return store.allocate(key, 1000, 0, Duration.ofSeconds(5));
	}

	@Test
	void lateAnswerForOneKeyIsNotMistakenForTheAnswerForAnother() {
		DatabaseServer server = Databases.mariadb();
		String url = server.createDatabase("interrupted");
		try (HikariDataSource one = pool(server, url); HikariDataSource two = pool(server, url)) {
			JdbcTemplate jdbc = new JdbcTemplate(one);
			jdbc.execute(
					"CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT NOT NULL, step INT NOT NULL)");
			jdbc.execute("INSERT INTO leaf_alloc VALUES ('warm', 1, 1000), ('order', 1, 1000), ('invoice', 1, 1000)");
			JdbcSegmentStore interruptedStore = new JdbcSegmentStore(two, new TableName("leaf_alloc"));
			allocate(interruptedStore, "warm");
			assertThat(allocate(new JdbcSegmentStore(one, new TableName("leaf_alloc")), "order"))
				.isEqualTo(new Allocation(1, 1001, 0));
			NEXT.set(new OutOfMemoryError("on purpose"));
			assertThat(catchThrowable(() -> allocate(interruptedStore, "invoice"))).isNotNull();
			assertThat(allocate(interruptedStore, "order")).isEqualTo(new Allocation(1001, 2001, 0));
		}
	}

	/**
	 * Creates sockets on which one read throws {@link #NEXT}.
	 */
	public static final class Sockets extends SocketFactory {

		@Override
		public Socket createSocket() {
			return new Socket() {
				@Override
				public InputStream getInputStream() throws IOException {
					return new FilterInputStream(super.getInputStream()) {
						@Override
						public int read(byte[] bytes, int offset, int length) throws IOException {
							Error failure = NEXT.getAndSet(null);
							if (failure != null) {
								throw failure;
							}
							return super.read(bytes, offset, length);
						}
					};
				}
			};
		}

		@Override
		public Socket createSocket(String host, int port) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Socket createSocket(InetAddress host, int port) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
			throw new UnsupportedOperationException();
		}

	}

}
