// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Runs the statements of {@code docs/migration.md}, section "From other IDs", on tables
 * that already have rows.
 */
class OtherIdsIT {

	private static final Path PAGE = Path.of("../../docs/migration.md");

	private static final Pattern BLOCK = Pattern.compile("(?s)```sql\n-- ([^\n]*)\n(.*?)```");

	@Test
	void statementsWorkOnMySql() throws IOException {
		assertStatementsWork(Databases.mysql(), "MySQL",
				"CREATE TABLE shipment_seq (next_val BIGINT); INSERT INTO shipment_seq VALUES (151);");
	}

	@Test
	void statementsWorkOnMariaDb() throws IOException {
		assertStatementsWork(Databases.mariadb(), "MariaDB",
				"CREATE SEQUENCE shipment_seq START WITH 151 INCREMENT BY 50;");
	}

	private void assertStatementsWork(DatabaseServer server, String product, String sequence) throws IOException {
		try (HikariDataSource dataSource = Pools.of(server, "other_ids_" + product.toLowerCase(Locale.ROOT))) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			run(dataSource,
					Files.readString(Path.of("../../sql/schema-%s.sql".formatted(product.toLowerCase(Locale.ROOT)))));
			run(dataSource, """
					CREATE TABLE orders (id BIGINT AUTO_INCREMENT PRIMARY KEY, item VARCHAR(20));
					INSERT INTO orders (item) VALUES ('a'), ('b'), ('c');
					""" + sequence + COMMON);
			// as the page says, inserting an ID also moves the counter
			jdbc.update("INSERT INTO orders (id) VALUES (500)");
			jdbc.update("INSERT INTO orders (item) VALUES ('d')");
			assertThat(jdbc.queryForObject("SELECT MAX(id) FROM orders", Long.class)).isEqualTo(501);
			assertThat(runBlocks(dataSource, product)).isEqualTo(7);
			assertThat(rows(jdbc)).isEqualTo(Map.of("orders", 502L, "shipment", 1_000_151L, "payment", 1_000_051L,
					"session", 1L, "customer", 4L));
			jdbc.update("INSERT INTO orders (id) VALUES (502)");
			assertThatExceptionOfType(DataAccessException.class).as("no counter is left")
				.isThrownBy(() -> jdbc.update("INSERT INTO orders (item) VALUES ('e')"));
			assertCustomers(jdbc);
		}
	}

	@Test
	void statementsWorkOnPostgreSql() throws IOException {
		try (HikariDataSource dataSource = Pools.of(Databases.postgresql(), "other_ids")) {
			JdbcTemplate jdbc = new JdbcTemplate(dataSource);
			run(dataSource, Files.readString(Path.of("../../sql/schema-postgresql.sql")));
			run(dataSource, """
					CREATE TABLE invoice (id BIGINT PRIMARY KEY);
					CREATE SEQUENCE invoice_id_seq;
					ALTER TABLE invoice ALTER COLUMN id SET DEFAULT nextval('invoice_id_seq');
					INSERT INTO invoice DEFAULT VALUES;
					INSERT INTO invoice DEFAULT VALUES;
					CREATE TABLE receipt (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY);
					CREATE SEQUENCE shipment_seq INCREMENT BY 50;
					""" + COMMON);
			// as the page says, inserting an ID does not advance the sequence
			jdbc.update("INSERT INTO invoice (id) VALUES (500)");
			jdbc.update("INSERT INTO invoice DEFAULT VALUES");
			assertThat(jdbc.queryForList("SELECT id FROM invoice ORDER BY id", Long.class)).containsExactly(1L, 2L, 3L,
					500L);
			assertThatExceptionOfType(DataAccessException.class)
				.isThrownBy(() -> jdbc.update("INSERT INTO receipt (id) VALUES (500)"));
			assertThat(runBlocks(dataSource, "PostgreSQL")).isEqualTo(8);
			assertThat(rows(jdbc)).isEqualTo(Map.of("invoice", 1_000_004L, "shipment", 1_000_001L, "payment",
					1_000_051L, "session", 1L, "customer", 4L));
			jdbc.update("INSERT INTO receipt (id) VALUES (500)");
			assertThatExceptionOfType(DataAccessException.class).as("no sequence is left")
				.isThrownBy(() -> jdbc.update("INSERT INTO invoice DEFAULT VALUES"));
			assertCustomers(jdbc);
		}
	}

	private static final String COMMON = """
			CREATE TABLE hibernate_sequences (sequence_name VARCHAR(50), next_val BIGINT);
			INSERT INTO hibernate_sequences VALUES ('payment', 51), ('other', 9);
			CREATE TABLE customer (id VARCHAR(36), name VARCHAR(20), CONSTRAINT customer_pkey PRIMARY KEY (id));
			INSERT INTO customer VALUES ('c3', 'x'), ('a1', 'y'), ('b2', 'z');
			CREATE TABLE purchase (id BIGINT PRIMARY KEY, customer_id VARCHAR(36));
			INSERT INTO purchase VALUES (1, 'b2'), (2, 'a1');
			""";

	private static void assertCustomers(JdbcTemplate jdbc) {
		assertThat(jdbc.queryForList("SELECT customer_no FROM purchase ORDER BY id", Long.class)).containsExactly(2L,
				1L);
		assertThatExceptionOfType(DuplicateKeyException.class)
			.isThrownBy(() -> jdbc.update("INSERT INTO customer (id, no) VALUES ('d4', 3)"));
		assertThatExceptionOfType(DuplicateKeyException.class)
			.isThrownBy(() -> jdbc.update("INSERT INTO customer (id, no) VALUES ('c3', 4)"));
		jdbc.update("INSERT INTO customer (id, no) VALUES ('d4', 4)");
	}

	private static int runBlocks(DataSource dataSource, String database) throws IOException {
		List<String> blocks = BLOCK.matcher(Files.readString(PAGE))
			.results()
			.filter((block) -> List.of(block.group(1).split(", ")).contains(database))
			.map((block) -> block.group(2))
			.toList();
		blocks.forEach((block) -> run(dataSource, block));
		return blocks.size();
	}

	private static void run(DataSource dataSource, String script) {
		new ResourceDatabasePopulator(new ByteArrayResource(script.getBytes(StandardCharsets.UTF_8)))
			.execute(dataSource);
	}

	private static Map<String, Long> rows(JdbcTemplate jdbc) {
		Map<String, Long> rows = new TreeMap<>();
		jdbc.query("SELECT biz_tag, max_id FROM leaf_alloc", (row) -> {
			rows.put(row.getString(1), row.getLong(2));
		});
		return rows;
	}

}
