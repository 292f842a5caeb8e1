// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.boot3;

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.autoconfigure.data.jdbc.AutoConfigureDataJdbc;
import org.springframework.boot.test.autoconfigure.data.r2dbc.AutoConfigureDataR2dbc;
import org.springframework.boot.test.autoconfigure.jdbc.AutoConfigureJdbc;
import org.springframework.boot.test.autoconfigure.orm.jpa.AutoConfigureDataJpa;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeafDatabaseBoot3AutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeafDatabaseBoot3AutoConfigurationTests {

	private static final AtomicInteger NUMBER = new AtomicInteger();

	private final String url = "jdbc:h2:mem:boot-3-" + NUMBER.incrementAndGet();

	private Connection keepsDatabase;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
				LeafDatabaseBoot3AutoConfiguration.class, LeafSegmentAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=" + this.url, "spring.datasource.username=orders",
				"spring.datasource.password=secret",
				"spring.datasource.type=" + DriverManagerDataSource.class.getName(),
				"leaf.segment.initialize-schema=always", "leaf.segment.auto-create.enabled=true");

	@BeforeEach
	void createDatabase() throws Exception {
		// its only user, so other credentials are refused
		this.keepsDatabase = DriverManager.getConnection(this.url, "orders", "secret");
	}

	@AfterEach
	void dropDatabase() throws Exception {
		this.keepsDatabase.close();
	}

	@Test
	void poolIsDerivedFromTheConnectionDetailsIfTheDataSourceIsNotHikari(CapturedOutput output) {
		this.contextRunner.run((context) -> {
			assertThat(context).getBean(DataSource.class).isInstanceOf(DriverManagerDataSource.class);
			assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(1);
			assertThat(output).contains("derived from the connection details of the application")
				.doesNotContain("is used directly");
		});
	}

	@Test
	void credentialsOfTheApplicationAreUsedForTheUrlOfLeaf() {
		this.contextRunner.withPropertyValues("leaf.segment.datasource.url=" + this.url)
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(1));
	}

	@Test
	void connectionDetailsThatAreNotNeededMayHaveNoUrl() {
		JdbcConnectionDetails details = mock();
		given(details.getJdbcUrl()).willThrow(new IllegalStateException("no URL"));
		this.contextRunner.withBean(JdbcConnectionDetails.class, () -> details)
			.withBean("dataSource", DataSource.class, () -> new DriverManagerDataSource(this.url, "orders", "secret"))
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(1));
	}

	@ParameterizedTest
	@ValueSource(classes = { AutoConfigureJdbc.class, AutoConfigureDataJpa.class, AutoConfigureDataJdbc.class,
			AutoConfigureDataR2dbc.class })
	void testSlicesHaveTheConnectionDetails(Class<?> slice) {
		assertThat(ImportCandidates.load(slice, null)).contains(LeafDatabaseBoot3AutoConfiguration.class.getName());
	}

	@Test
	void onSpringBoot4() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeafDatabaseBoot3AutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(JdbcConnectionDetails.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("leafApplicationDatabase"));
	}

}
