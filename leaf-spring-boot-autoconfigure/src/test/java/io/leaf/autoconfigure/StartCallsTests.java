// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests which requests Leaf sends to the database at startup, because startup waits for
 * each of them. HikariCP's checks of whether a connection is alive are omitted, because
 * they depend on timing.
 */
class StartCallsTests {

	private final MemoryDatabase database = new MemoryDatabase();

	private final RecordingDataSource recorder = new RecordingDataSource(this.database.url());

	private final HikariDataSource pool = new HikariDataSource();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LeafSegmentAutoConfiguration.class,
				LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class))
		.withBean("dataSource", HikariDataSource.class, this::pool);

	@TempDir
	Path stateDir;

	// Leaf's own pool is derived from this pool, so its requests are also recorded
	private HikariDataSource pool() {
		this.pool.setDataSource(this.recorder);
		return this.pool;
	}

	@AfterEach
	void close() {
		this.pool.close();
		this.database.close();
	}

	private ApplicationContextRunner workerIdsFrom(String source) {
		return this.contextRunner.withPropertyValues("leaf.segment.enabled=false", "leaf.snowflake.enabled=true",
				"leaf.snowflake.worker.id=7", "leaf.snowflake.worker.source=" + source,
				"leaf.segment.initialize-schema=never", "leaf.snowflake.state-dir=" + this.stateDir);
	}

	private List<String> calls(ApplicationContextRunner application) {
		this.recorder.calls();
		AtomicReference<List<String>> calls = new AtomicReference<>();
		application.run((context) -> {
			assertThat(context).hasNotFailed().hasBean("leafIdGenerator");
			calls.set(this.recorder.calls());
		});
		return calls.get();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void segmentModeReadsTheRows(boolean failFast) {
		this.database.withRow("order", 1, 10);
		assertThat(calls(this.contextRunner.withPropertyValues("leaf.segment.initialize-schema=never",
				"leaf.segment.fail-fast=" + failFast)))
			.containsExactlyElementsOf(
					failFast ? List.of("connect", "SELECT", "UPDATE") : List.of("connect", "SELECT"));
	}

	@Test
	void segmentModeFirstCreatesTheTablesOfAnEmbeddedDatabase() {
		// the script creates two tables
		assertThat(calls(this.contextRunner)).containsExactly("connect", "CREATE", "CREATE", "SELECT", "UPDATE");
	}

	@Test
	void preloadingFollowsStartup() {
		this.database.withRow("order", 1, 10);
		this.contextRunner.withPropertyValues("leaf.segment.initialize-schema=never", "leaf.segment.preload=true")
			.run((context) -> {
				List<String> calls = new ArrayList<>();
				await().until(() -> calls.addAll(this.recorder.calls()) && calls.size() >= 5);
				// the rows, whether they can be updated, the types of the columns, and
				// the first segment
				assertThat(calls).containsExactly("connect", "SELECT", "UPDATE", "SELECT", "UPDATE");
			});
	}

	@Test
	void workerIdsInTheDatabaseTakeFourStatements() {
		this.database.withTable();
		ApplicationContextRunner application = workerIdsFrom("jdbc");
		// at the first start, the layout is recorded and compared, a second INSERT shows
		// that the table has its primary key, and there is no lease record yet
		assertThat(calls(application)).containsExactly("connect", "SELECT", "INSERT", "INSERT", "SELECT", "SELECT",
				"SELECT", "SELECT", "INSERT");
		// the layout, the clock, the lease records, the claim
		assertThat(calls(application)).containsExactly("connect", "SELECT", "SELECT", "SELECT", "UPDATE");
	}

	@Test
	void aFixedWorkerIdTakesNoRequests() {
		assertThat(calls(workerIdsFrom("file"))).isEmpty();
	}

	/**
	 * Records the requests on its connections: {@code connect}, {@code commit},
	 * {@code rollback}, {@code setTransactionIsolation}, and the first word of each
	 * statement.
	 */
	private static final class RecordingDataSource extends DriverManagerDataSource {

		private static final Set<String> RECORDED = Set.of("commit", "rollback", "setTransactionIsolation");

		private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

		RecordingDataSource(String url) {
			super(url, MemoryDatabase.USERNAME, "");
		}

		/**
		 * Returns the requests since the last call.
		 */
		List<String> calls() {
			List<String> calls = new ArrayList<>();
			this.calls.drainTo(calls);
			return calls;
		}

		@Override
		public Connection getConnection() throws SQLException {
			return record(super.getConnection());
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLException {
			return record(super.getConnection(username, password));
		}

		private Connection record(Connection connection) {
			this.calls.add("connect");
			return (Connection) proxy(Connection.class, connection, "");
		}

		private Object proxy(Class<?> type, Object target, String prepared) {
			return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> {
						Object first = (arguments != null && arguments.length > 0) ? arguments[0] : null;
						String sql = (first instanceof String text) ? text : prepared;
						if (method.getName().startsWith("execute")) {
							this.calls.add(sql.split(" ")[0]);
						}
						else if (RECORDED.contains(method.getName())) {
							this.calls.add(method.getName());
						}
						try {
							Object result = method.invoke(target, arguments);
							return (result instanceof Statement) ? proxy(method.getReturnType(), result, sql) : result;
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

	}

}
