// SPDX-License-Identifier: Apache-2.0

package io.leaf.integrations.shardingsphere;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

import io.leaf.IdGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of an application whose orders are distributed by ID over two databases. Leaf's
 * tables are in a third database.
 */
class ShardingSphereApplicationTests {

	@Test
	void theIdDeterminesTheShard() throws SQLException {
		try (ConfigurableApplicationContext context = run()) {
			JdbcClient sql = context.getBean(JdbcClient.class);
			IdGenerator ids = context.getBean(IdGenerator.class);
			sql.sql("CREATE TABLE orders (id BIGINT PRIMARY KEY, item VARCHAR(255))").update();
			for (String item : List.of("tea", "coffee", "milk")) {
				long id = ids.nextId("order");
				sql.sql("INSERT INTO orders (id, item) VALUES (?, ?)").params(id, item).update();
			}
			assertThat(sql.sql("SELECT id FROM orders ORDER BY id").query(Long.class).list()).containsExactly(1L, 2L,
					3L);
			assertThat(in("shop_0", "SELECT id FROM orders")).containsExactly(2L);
			assertThat(in("shop_1", "SELECT id FROM orders ORDER BY id")).containsExactly(1L, 3L);
			assertThat(in("leaf", "SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'")).containsExactly(1001L);
		}
	}

	private static List<Long> in(String database, String query) throws SQLException {
		try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:" + database, "sa", "")) {
			return JdbcClient.create(new SingleConnectionDataSource(connection, true))
				.sql(query)
				.query(Long.class)
				.list();
		}
	}

	private static ConfigurableApplicationContext run() {
		return new SpringApplicationBuilder(ShardingSphereApplication.class)
			.properties("spring.config.location=classpath:io/leaf/integrations/shardingsphere/",
					"leaf.segment.auto-create.enabled=true")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class ShardingSphereApplication {

	}

}
