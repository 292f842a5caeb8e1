// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.SpringBoot;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.lease.jdbc.JdbcWorkerLeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the order of the creation of Leaf's tables and the scripts that Spring Boot runs
 * with R2DBC.
 */
class R2dbcScriptsTests {

	private final String name = UUID.randomUUID().toString();

	@TempDir
	private Path folder;

	private ApplicationContextRunner runner(String script) throws IOException {
		Path file = Files.writeString(this.folder.resolve("data.sql"), script);
		return new ApplicationContextRunner().withConfiguration(SpringBoot.springDataR2dbc())
			.withConfiguration(AutoConfigurations.of(LeafSegmentAutoConfiguration.class,
					LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class))
			.withPropertyValues("spring.r2dbc.url=r2dbc:h2:mem:///" + this.name + "?options=DB_CLOSE_DELAY=-1",
					"spring.sql.init.data-locations=" + file.toUri(),
					"leaf.segment.datasource.url=jdbc:h2:mem:" + this.name, "leaf.snowflake.state-dir=" + this.folder);
	}

	@Test
	void rowsInsertedByDataSqlAreKnownAtStartup() throws IOException {
		runner("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 500, 100);").run((context) -> {
			assertThat(context.getBean(SegmentIdGenerator.class).status()).containsOnlyKeys("order");
			assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
		});
	}

	@Test
	void theWorkerTableIsCreatedWithoutSegmentMode() throws IOException {
		runner("DELETE FROM leaf_worker;")
			.withPropertyValues("leaf.segment.enabled=false", "leaf.snowflake.enabled=true",
					"leaf.snowflake.worker.source=jdbc")
			.run((context) -> assertThat(context).hasSingleBean(JdbcWorkerLeaseStore.class));
	}

	@Test
	void tableCreatedBySchemaSqlIsUsed() throws IOException {
		runner("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 500, 100);")
			.withPropertyValues("leaf.segment.initialize-schema=never",
					"spring.sql.init.schema-locations=classpath:io/leaf/segment/jdbc/schema-h2.sql")
			.run((context) -> assertThat(context.getBean(SegmentIdGenerator.class).status()).containsOnlyKeys("order"));
	}

}
