// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import io.leaf.SegmentUnavailableException;
import io.leaf.jdbc.TableName;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.TestSettings;
import io.leaf.segment.jdbc.JdbcSegmentStore;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.text.IdFormats;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that {@link LeafEndpoint} shows no credential, regardless of the driver's
 * message.
 */
class LeafEndpointSecretsTests {

	private final FailingDataSource dataSource = new FailingDataSource();

	private final SegmentIdGenerator generator = new SegmentIdGenerator(
			new JdbcSegmentStore(this.dataSource, new TableName("leaf_alloc")),
			TestSettings.DEFAULTS.toBuilder()
				.maxStep(1000)
				.acquireTimeout(Duration.ofSeconds(1))
				.refreshInterval(Duration.ofDays(1))
				.build());

	private Connection keeper;

	@BeforeEach
	void start() throws SQLException {
		this.keeper = this.dataSource.getConnection();
		ScriptUtils.executeSqlScript(this.keeper, new ClassPathResource("io/leaf/segment/jdbc/schema-h2.sql"));
		try (Statement statement = this.keeper.createStatement()) {
			statement.execute("INSERT INTO leaf_alloc (biz_tag, step) VALUES ('order', 10)");
		}
		this.generator.start();
	}

	@AfterEach
	void close() throws SQLException {
		this.generator.close();
		this.keeper.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "No suitable driver found for jdbc:x://db.example.org/x?user=leaf&password=s3cret",
			"URL format error; must be \"jdbc:h2:...\" but is \"jdbc:h2:mem:x;USER=leaf;PASSWORD=a s3cret\" [90046-240]",
			"Cannot connect to jdbc:oracle:thin:leaf/s3cret@db.example.org:1521/x: timeout" })
	void credentialsAreRemovedFromTheMessageOfADriverThatQuotesTheUrl(String message) {
		this.dataSource.failure = message;
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.generator.nextId("order"))
			.satisfies((ex) -> assertThat(ex).hasMessageContaining(message.substring(0, message.indexOf("jdbc:")))
				.message()
				.doesNotContain("s3cret"));
		LeafEndpoint.KeyReport report = new LeafEndpoint("orders", this.generator, null, null, SnowflakeLayout.LEAF,
				new IdFormats(Map.of()))
			.key("order");
		assertThat(report).isNotNull();
		assertThat(report.lastError())
			.contains("the database of table leaf_alloc", message.substring(0, message.indexOf("jdbc:")))
			.doesNotContain("s3cret", "example.org");
	}

	/**
	 * Works until the test makes it fail.
	 */
	private static final class FailingDataSource extends DriverManagerDataSource {

		private volatile @Nullable String failure;

		private FailingDataSource() {
			super("jdbc:h2:mem:" + UUID.randomUUID(), "leaf", "s3cret");
		}

		@Override
		public Connection getConnection() throws SQLException {
			if (this.failure != null) {
				throw new SQLException(this.failure, "08001");
			}
			return super.getConnection();
		}

	}

}
