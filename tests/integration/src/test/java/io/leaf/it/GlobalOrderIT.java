// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

import io.leaf.it.DrawingProcess.How;
import io.leaf.test.server.ControllableServer;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import io.leaf.test.server.TestScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the ordering {@code global} with two processes that draw IDs of one key with 8
 * threads each. With {@code -Dleaf.test.full=true}, they draw half a million IDs from a
 * MySQL server that writes each commit to disk.
 */
class GlobalOrderIT {

	private static final int THREADS = 8;

	@TempDir
	private Path directory;

	@Test
	void idsAscendAcrossProcessesOnMySql() throws Exception {
		if (TestScope.isFull()) {
			try (ControllableServer server = Databases.startDurableMysql()) {
				assertIdsAscendAcrossProcesses(server, 31_250);
			}
		}
		else {
			assertIdsAscendAcrossProcesses(Databases.mysql(), 2_000);
		}
	}

	@Test
	void idsAscendAcrossProcessesOnPostgreSql() throws Exception {
		assertIdsAscendAcrossProcesses(Databases.postgresql(), TestScope.isFull() ? 10_000 : 2_000);
	}

	private void assertIdsAscendAcrossProcesses(DatabaseServer server, int idsEach) throws Exception {
		List<String> properties = new ArrayList<>(Arrays.asList(Pools.properties(server, "global")));
		JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(
				properties.get(0).substring("spring.datasource.url=".length()), server.username(), server.password()));
		jdbc.execute(
				"CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT NOT NULL, step INT NOT NULL)");
		jdbc.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 1000)");
		properties.add("leaf.keys.order.ordering=global");
		DrawingProcess one = start("one", idsEach, properties);
		DrawingProcess two = start("two", idsEach, properties);
		List<Path> files = new ArrayList<>(one.await());
		files.addAll(two.await());
		TimedCalls calls = TimedCalls.read(files);
		assertThat(calls.findDisorder()).isNull();
		assertThat(calls.ids()).as("all numbers, each of them once")
			.isEqualTo(LongStream.rangeClosed(1, 2L * THREADS * idsEach).toArray());
	}

	private DrawingProcess start(String name, int idsEach, List<String> properties) throws Exception {
		return DrawingProcess.start(this.directory, name, How.TIMED, THREADS, idsEach,
				properties.toArray(String[]::new));
	}

	@Test
	void findsACallThatBeganAfterAnotherHadEndedButHasTheSmallerId() {
		TimedCalls calls = new TimedCalls();
		calls.add(0, 1, 10);
		calls.add(5, 3, 15);
		calls.add(12, 2, 20);
		assertThat(calls.findDisorder()).as("calls 2 and 3 overlap").isNull();
		calls.add(16, 0, 18);
		assertThat(calls.findDisorder()).contains("id=0", "id=1");
	}

}
