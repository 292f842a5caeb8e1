// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.MarkdownPage;
import io.leaf.MarkdownPage.Code;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the SQL blocks of the pages, each on every database for which it is intended. A
 * block creates a table that is in the scripts, or runs on the tables of the scripts and
 * a table of the application.
 */
class SqlBlocksIT {

	private static final Path ROOT = Path.of("../..");

	/**
	 * The beginnings of the blocks that are only for MySQL and MariaDB.
	 */
	private static final List<String> MYSQL_ONLY = List.of("CREATE TABLE leaf_alloc",
			"GRANT SELECT, UPDATE ON leaf_alloc");

	/**
	 * Pages whose blocks another test runs, with the rows that they need.
	 */
	private static final Map<String, Class<?>> ELSEWHERE = Map.of("migration.md", OtherIdsIT.class);

	private static final Map<String, Supplier<DatabaseServer>> SERVERS = Map.of("mysql", Databases::mysql, "mariadb",
			Databases::mariadb, "postgresql", Databases::postgresql, "h2", Databases::h2);

	@Test
	void everyBlockRuns() {
		List<Code> blocks = MarkdownPage.english(ROOT)
			.stream()
			.flatMap((page) -> page.code("sql").stream())
			.filter((block) -> !ELSEWHERE.containsKey(block.page().getFileName().toString()))
			.toList();
		assertThat(blocks).hasSizeGreaterThan(4);
		assertThat(MYSQL_ONLY).allMatch((begin) -> blocks.stream().anyMatch((block) -> block.text().startsWith(begin)));
		List<String> failures = new ArrayList<>();
		for (Code block : blocks) {
			boolean mysqlOnly = MYSQL_ONLY.stream().anyMatch(block.text()::startsWith);
			SERVERS.keySet()
				.stream()
				.filter((database) -> !mysqlOnly || database.startsWith("m"))
				.forEach((database) -> {
					try {
						run(block, database);
					}
					catch (DataAccessException ex) {
						failures.add(block + " on " + database + ": " + ex.getMessage());
					}
				});
		}
		assertThat(failures).isEmpty();
	}

	private static void run(Code block, String database) {
		DatabaseServer server = SERVERS.get(database).get();
		try (HikariDataSource dataSource = Pools.of(server, "sql_blocks")) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			if (!block.text().startsWith("CREATE TABLE")) {
				new ResourceDatabasePopulator(new FileSystemResource(ROOT.resolve("sql/schema-" + database + ".sql")))
					.execute(dataSource);
				jdbc.execute("CREATE TABLE orders (id BIGINT PRIMARY KEY)");
				jdbc.update("INSERT INTO orders VALUES (41)");
			}
			if (!block.text().startsWith("INSERT") && !block.text().startsWith("CREATE")) {
				jdbc.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 1000)");
			}
			if (block.text().startsWith("GRANT")) {
				jdbc.execute("CREATE USER IF NOT EXISTS 'orders'@'%' IDENTIFIED BY 'orders'");
			}
			new ResourceDatabasePopulator(new ByteArrayResource(block.text().getBytes(StandardCharsets.UTF_8)))
				.execute(dataSource);
			assertThat(jdbc.queryForObject("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'", Long.class))
				.as("%s on %s", block, database)
				.isEqualTo(block.text().startsWith("UPDATE") ? expected(block) : 1L);
		}
	}

	/** Returns the {@code max_id} after an update, if it was 1 and orders go up to 41. */
	private static long expected(Code block) {
		return block.text().contains("GREATEST") ? 42 + 10_000_000 : 1 + 10_000_000;
	}

}
