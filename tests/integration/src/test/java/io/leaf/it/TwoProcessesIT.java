// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.test.server.DatabaseServer;
import io.leaf.it.DrawingProcess.How;
import io.leaf.test.server.Databases;
import io.leaf.test.server.MeituanLeafTransaction;
import io.leaf.test.server.Pools;
import io.leaf.test.server.TestScope;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that two processes that share one row, with 8 threads each, issue no ID twice.
 * With {@code -Dleaf.test.full=true}, they draw 20 million IDs in total.
 */
class TwoProcessesIT {

	private static final int THREADS = 8;

	private static final int IDS_EACH = TestScope.isFull() ? 1_250_000 : 250_000;

	/**
	 * The upper bound of the IDs, which leaves room for unused numbers: segments of up to
	 * a million numbers that cannot be given back, because the other process has
	 * allocated in between.
	 */
	private static final int CEILING = 60_000_000;

	@TempDir
	private Path directory;

	@AutoClose
	private HikariDataSource pool;

	private String[] database;

	@BeforeEach
	void createTable() {
		DatabaseServer server = Databases.mysql();
		this.pool = Pools.of(server, "processes");
		this.database = new String[] { "spring.datasource.url=" + this.pool.getJdbcUrl(),
				"spring.datasource.username=" + server.username(), "spring.datasource.password=" + server.password() };
		JdbcTemplate jdbc = new JdbcTemplate(this.pool);
		jdbc.execute(
				"CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT NOT NULL, step INT NOT NULL)");
		jdbc.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 1000)");
	}

	@Test
	void twoApplicationsIssueNoIdTwice() throws Exception {
		DrawingProcess one = DrawingProcess.start(this.directory, "one", How.SINGLY_AND_IN_BATCHES, THREADS, IDS_EACH,
				this.database);
		DrawingProcess two = DrawingProcess.start(this.directory, "two", How.SINGLY_AND_IN_BATCHES, THREADS, IDS_EACH,
				this.database);
		List<Path> files = new ArrayList<>(one.await());
		files.addAll(two.await());
		assertThat(IdFiles.assertUnique(files, CEILING)).isEqualTo(2L * THREADS * IDS_EACH);
	}

	@Test
	void anApplicationAndAMeituanLeafServerIssueNoIdTwice() throws Exception {
		DrawingProcess application = DrawingProcess.start(this.directory, "application", How.SINGLY_AND_IN_BATCHES,
				THREADS, IDS_EACH, this.database);
		List<Path> files = new ArrayList<>();
		List<Callable<Void>> leaf = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			Path file = this.directory.resolve("leaf-" + i);
			files.add(file);
			leaf.add(() -> {
				drawAsAMeituanLeafServer(file);
				return null;
			});
		}
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		try {
			for (Future<Void> result : executor.invokeAll(leaf)) {
				result.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		files.addAll(application.await());
		assertThat(IdFiles.assertUnique(files, CEILING)).isGreaterThanOrEqualTo(2L * THREADS * IDS_EACH);
	}

	/**
	 * Draws at least {@link #IDS_EACH} IDs in whole segments, which it allocates as a
	 * server of Meituan's Leaf does.
	 */
	private void drawAsAMeituanLeafServer(Path file) throws IOException, SQLException {
		try (Connection connection = this.pool.getConnection(); DataOutputStream out = IdFiles.write(file)) {
			for (int drawn = 0; drawn < IDS_EACH;) {
				MeituanLeafTransaction.Row row = MeituanLeafTransaction.allocate(connection, "order");
				for (long id = row.maxId() - row.step(); id < row.maxId(); id++) {
					out.writeLong(id);
					drawn++;
				}
			}
		}
	}

}
