// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.snowflake;

import java.nio.file.Path;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.snowflake.SnowflakeLayout;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeafZooKeeperConnectionDetails} and the other sources of ZooKeeper's
 * address.
 */
class LeafZooKeeperConnectionDetailsTests {

	private static final String NO_SERVER = "leaf.snowflake.zookeeper.connect-string=127.0.0.1:1";

	@AutoClose
	private static TestingServer server;

	@TempDir
	Path directory;

	@BeforeAll
	static void start() throws Exception {
		server = new TestingServer();
	}

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class))
			.withPropertyValues("leaf.snowflake.enabled=true", "leaf.snowflake.state-dir=" + this.directory);
	}

	private static ApplicationContextRunner withDetails(ApplicationContextRunner runner) {
		return runner.withBean(LeafZooKeeperConnectionDetails.class, () -> server::getConnectString);
	}

	private static void assertThatIdsAreIssued(ApplicationContextRunner runner) {
		runner.run((context) -> {
			long id = context.getBean(IdGenerator.class).nextId("payment");
			assertThat(SnowflakeLayout.LEAF.decode(id).workerId()).isEqualTo(1);
		});
	}

	@Test
	void detailsNeedNoProperty() {
		assertThatIdsAreIssued(withDetails(runner()));
	}

	@Test
	void detailsTakePrecedenceOverTheProperty() {
		assertThatIdsAreIssued(withDetails(runner()).withPropertyValues(NO_SERVER));
		runner().withPropertyValues(NO_SERVER, "leaf.snowflake.zookeeper.connection-timeout=1s")
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void detailsTakePrecedenceOverAClient() {
		// the mock has no connection to a server
		assertThatIdsAreIssued(withDetails(runner()).withBean(CuratorFramework.class, () -> mock()));
	}

	@Test
	void otherPropertiesStillTakeEffect() {
		withDetails(runner()).withPropertyValues("leaf.snowflake.zookeeper.connection-timeout=1ms")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("leaf.snowflake.zookeeper.connection-timeout"));
	}

	@Test
	void clientIsUsedWithoutDetails() {
		try (CuratorFramework client = CuratorFrameworkFactory.newClient(server.getConnectString(),
				new RetryOneTime(100))) {
			client.start();
			assertThatIdsAreIssued(runner().withBean(CuratorFramework.class, () -> client));
		}
	}

}
