// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.sql.Connection;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.IdGenerator;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code leaf.segment.datasource.*}.
 */
class ConnectionSourcePropertiesTests {

	private final MemoryDatabase database = new MemoryDatabase().withRow("order", 500, 10);

	private final MemoryDatabase other = new MemoryDatabase();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class))
		.withPropertyValues("first.url=" + this.database.url(), "second.url=" + this.other.url(),
				"leaf.segment.initialize-schema=never");

	@AfterEach
	void close() {
		this.database.close();
		this.other.close();
	}

	@Test
	void urlTakesPrecedenceOverSeveralDataSources() {
		this.contextRunner.withUserConfiguration(ConnectionSourceSelectorTests.TwoDataSources.class)
			.withPropertyValues("leaf.segment.datasource.url=" + this.database.url(),
					"leaf.segment.datasource.username=sa")
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500));
	}

	@Test
	void urlUsernameAndPassword() {
		this.database.execute("CREATE USER leaf PASSWORD 'secret'")
			.execute("GRANT SELECT, UPDATE ON leaf_alloc TO leaf");
		this.contextRunner
			.withPropertyValues("spring.datasource.url=" + this.other.url(),
					"leaf.segment.datasource.url=" + this.database.url(), "leaf.segment.datasource.username=leaf",
					"leaf.segment.datasource.password=secret")
			.run((context) -> {
				assertThat(userOf(context.getBean(ConnectionSource.class))).isEqualTo("LEAF");
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			});
	}

	@Test
	void credentialsOfTheApplicationAreUsedWithAnotherUrl() {
		this.other.execute("CREATE USER application PASSWORD 'secret'");
		this.database.execute("CREATE USER application PASSWORD 'secret'")
			.execute("GRANT SELECT, UPDATE ON leaf_alloc TO application");
		this.contextRunner
			.withPropertyValues("spring.datasource.url=" + this.other.url(), "spring.datasource.username=application",
					"spring.datasource.password=secret", "leaf.segment.datasource.url=" + this.database.url())
			.run((context) -> {
				assertThat(userOf(context.getBean(ConnectionSource.class))).isEqualTo("APPLICATION");
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			});
	}

	@Test
	void usernameOnly() {
		this.database.execute("CREATE USER leaf PASSWORD ''").execute("GRANT SELECT, UPDATE ON leaf_alloc TO leaf");
		this.contextRunner
			.withPropertyValues("spring.datasource.url=" + this.database.url(), "leaf.segment.datasource.username=leaf")
			.run((context) -> {
				assertThat(userOf(context.getBean(ConnectionSource.class))).isEqualTo("LEAF");
				assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(500);
			});
	}

	@Test
	void usernameWithoutAnythingToDeriveTheUrlFrom() {
		this.contextRunner.withUserConfiguration(ConnectionSourceSelectorTests.NotHikari.class)
			.withPropertyValues("leaf.segment.datasource.username=leaf")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LeafStartupException.class)
				.hasMessageContaining("leaf.segment.datasource.username"));
	}

	@Test
	void propertiesNeedHikari() {
		this.contextRunner.withUserConfiguration(ConnectionSourceSelectorTests.NotHikari.class)
			.withClassLoader(new FilteredClassLoader(HikariDataSource.class))
			.withPropertyValues("leaf.segment.datasource.url=" + this.database.url())
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LeafStartupException.class)
				.hasMessageContaining("HikariCP"));
	}

	private static String userOf(ConnectionSource dataSource) throws Exception {
		try (Connection connection = dataSource.dataSource().getConnection()) {
			return connection.getMetaData().getUserName();
		}
	}

}
