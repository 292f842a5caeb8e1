// SPDX-License-Identifier: Apache-2.0

package io.leaf.integrations.testcontainers;

import javax.sql.DataSource;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.test.server.TestScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.mysql.MySQLContainer;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests an application that gets the addresses of MySQL and ZooKeeper only from its
 * containers. Requires Docker. Without Docker, only
 * {@code ZooKeeperServiceConnectionTests} and {@code DatabaseServiceConnectionTests}
 * cover this.
 */
@EnabledIf("isDockerPresent")
@SpringBootTest(classes = ServiceConnectionIT.Application.class,
		properties = { "leaf.snowflake.enabled=true", "leaf.snowflake.state-dir=target/service-connection",
				"leaf.keys.payment.mode=snowflake", "leaf.segment.initialize-schema=always",
				"leaf.segment.auto-create.enabled=true" })
@DirtiesContext
class ServiceConnectionIT {

	// from docs/testing.md
	@ServiceConnection
	static final MySQLContainer mySql = new MySQLContainer("mysql:8.4");

	@ServiceConnection
	static final GenericContainer<?> zooKeeper = new GenericContainer<>("zookeeper:3.9").withExposedPorts(2181);

	// end of docs/testing.md

	static boolean isDockerPresent() {
		return TestScope.isDockerPresent("ServiceConnectionIT");
	}

	@Test
	void idsComeFromTheContainers(@Autowired IdGenerator ids, @Autowired DataSource dataSource) {
		assertThat(ids.nextIds("order", 2)).containsExactly(1, 2);
		assertThat(new JdbcTemplate(dataSource).queryForObject("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'order'",
				Long.class))
			.isEqualTo(1001);
		assertThat(SnowflakeLayout.LEAF.decode(ids.nextId("payment")).workerId()).isEqualTo(1);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class,
			LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class })
	static class Application {

	}

}
