// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import net.ttddyy.dsproxy.support.ProxyDataSource;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.UserCredentialsDataSourceAdapter;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests which pool Leaf copies if the application's {@code DataSource} wraps or extends a
 * HikariCP pool.
 */
class PoolBehindDataSourceTests {

	private static final HikariDataSource POOL = new HikariDataSource();

	static Stream<DataSource> wrappersThatReturnTheConnectionsOfThePool() {
		return Stream.of(POOL, new DelegatingDataSource(POOL), new LazyConnectionDataSourceProxy(POOL),
				new TransactionAwareDataSourceProxy(POOL),
				new LazyConnectionDataSourceProxy(new TransactionAwareDataSourceProxy(POOL)));
	}

	@ParameterizedTest
	@MethodSource
	void wrappersThatReturnTheConnectionsOfThePool(DataSource dataSource) {
		assertThat(SegmentPool.behind(dataSource)).isSameAs(POOL);
	}

	@Test
	void aSubclassThatReturnsTheConnectionsOfThePool() {
		HikariDataSource subclass = new HikariDataSource() {
			@Override
			public String getPassword() {
				return "secret";
			}
		};
		assertThat(SegmentPool.behind(subclass)).isSameAs(subclass);
	}

	static Stream<Named<DataSource>> dataSourcesThatMayReturnOtherConnections() {
		return Stream.of(Named.of("adapter", adapter()), Named.of("subclass of a wrapper", subclassOfAWrapper()),
				Named.of("subclass of the pool", new Subclass()), Named.of("subclass with another URL", new OtherUrl()),
				Named.of("datasource-proxy, whose listeners may change the connections", new ProxyDataSource(POOL)),
				Named.of("routing", new Routing()),
				Named.of("lazy, routing", new LazyConnectionDataSourceProxy(new Routing())),
				Named.of("lazy, adapter", new LazyConnectionDataSourceProxy(adapter())),
				Named.of("wrapper without target", new DelegatingDataSource()),
				Named.of("proxy of the interface", mock(DataSource.class)));
	}

	@ParameterizedTest(autoCloseArguments = false)
	@MethodSource
	void dataSourcesThatMayReturnOtherConnections(DataSource dataSource) {
		assertThat(SegmentPool.behind(dataSource)).isNull();
	}

	private static DataSource adapter() {
		UserCredentialsDataSourceAdapter adapter = new UserCredentialsDataSourceAdapter();
		adapter.setTargetDataSource(POOL);
		adapter.setSchema("other");
		return adapter;
	}

	private static DataSource subclassOfAWrapper() {
		return new DelegatingDataSource(POOL) {
		};
	}

	private static final class Subclass extends HikariDataSource {

		@Override
		public Connection getConnection() throws SQLException {
			throw new SQLException("not the connection of the pool");
		}

	}

	private static final class OtherUrl extends HikariDataSource {

		@Override
		public String getJdbcUrl() {
			return "jdbc:h2:mem:other";
		}

	}

	private static final class Routing extends AbstractRoutingDataSource {

		@Override
		protected Object determineCurrentLookupKey() {
			return "";
		}

		@Override
		protected DataSource determineTargetDataSource() {
			return POOL;
		}

	}

}
