// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leaf.IdSequence;
import io.leaf.http.LeafServers;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.segment.server.ServerSegmentStore;
import io.leaf.test.server.ControllableServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.LeafServerProcess;
import io.micrometer.observation.ObservationRegistry;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Segment mode with {@code strict} ordering on a table of a real database, and on a Leaf
 * server that uses such a table.
 */
@State(Scope.Benchmark)
public class StoreBenchmark {

	/**
	 * Enough for half a second, so that the database and the server are idle most of the
	 * time.
	 */
	private static final int STEP = 100_000_000;

	/**
	 * Whether segments come from a Leaf server rather than from the table.
	 */
	@Param({ "false", "true" })
	public boolean server;

	private final Deque<AutoCloseable> opened = new ArrayDeque<>();

	@SuppressWarnings("NullAway.Init") // set by setUp, which JMH calls
	private IdSequence sequence;

	/**
	 * Starts the database, the server and the generator.
	 * @throws SQLException if the table cannot be created
	 */
	@Setup
	public void setUp() throws SQLException {
		ControllableServer database = open(Databases.startMysql());
		String url = database.createDatabase("leaf");
		try (Connection connection = database.connect(url); Statement statement = connection.createStatement()) {
			new ResourceDatabasePopulator(new ClassPathResource("io/leaf/segment/jdbc/schema-mysql.sql"))
				.populate(connection);
			statement.execute("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, " + STEP + ")");
		}
		SegmentIdGenerator generator = open(
				new SegmentIdGenerator(this.server ? serverStore(database, url) : tableStore(database, url),
						SegmentDefaults.SETTINGS.toBuilder().maxStep(STEP).build()));
		generator.start();
		this.sequence = generator.sequence("order");
	}

	private SegmentStore tableStore(ControllableServer database, String url) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(url);
		config.setUsername(database.username());
		config.setPassword(database.password());
		return new JdbcSegmentStore(open(new HikariDataSource(config)), new TableName("leaf_alloc"));
	}

	private SegmentStore serverStore(ControllableServer database, String url) {
		LeafServerProcess server = open(LeafServerProcess.launch(
				List.of("leaf.segment.datasource.url=" + url, "leaf.segment.datasource.username=" + database.username(),
						"leaf.segment.datasource.password=" + database.password(), "leaf.segment.max-step=" + STEP)));
		LeafServers servers = open(new LeafServers(List.of(URI.create(server.url())), null, null,
				ObservationRegistry.NOOP, JsonParserFactory.getJsonParser()::parseMap));
		return new ServerSegmentStore(servers, (key) -> false);
	}

	private <T extends AutoCloseable> T open(T opened) {
		this.opened.push(opened);
		return opened;
	}

	/**
	 * Closes what was opened, in reverse order.
	 * @throws Exception if something cannot be closed
	 */
	@TearDown
	public void tearDown() throws Exception {
		for (AutoCloseable each : this.opened) {
			each.close();
		}
	}

	/**
	 * Draws an ID.
	 * @param drawn the record of the IDs
	 * @return the ID
	 */
	@Benchmark
	public long nextId(DrawnIds drawn) {
		return drawn.record(this.sequence.nextId());
	}

}
