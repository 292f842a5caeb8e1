// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.zookeeper;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

import io.leaf.IdGenerator;
import io.leaf.snowflake.SnowflakeLayout;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests worker IDs from a ZooKeeper that is shared with other applications. The nodes are
 * below a separate path. The path and the nodes are accessible only with the credentials
 * of the application.
 */
@ExtendWith(OutputCaptureExtension.class)
class ZooKeeperApplicationTests {

	private static final String CREDENTIALS = "orders:secret";

	private static TestingServer server;

	private static CuratorFramework owner;

	private static ConfigurableApplicationContext application;

	@TempDir
	private static Path folder;

	@BeforeAll
	static void start() throws Exception {
		server = new TestingServer();
		owner = client(CREDENTIALS);
		owner.create().withACL(List.of(new ACL(Perms.ALL, new Id("auth", "")))).forPath("/apps");
		application = run("/apps");
	}

	@AfterAll
	static void stop() throws Exception {
		application.close();
		owner.close();
		server.close();
	}

	private static ConfigurableApplicationContext run(String path, String... arguments) {
		SpringApplication application = new SpringApplication(ZooKeeperApplication.class);
		List<String> all = new ArrayList<>(List.of(arguments));
		all.add("--spring.config.location=classpath:io/leaf/application/zookeeper/application.yaml");
		all.add("--leaf.snowflake.zookeeper.connect-string=" + server.getConnectString() + path);
		all.add("--leaf.snowflake.state-dir=" + folder);
		return application.run(all.toArray(String[]::new));
	}

	private static CuratorFramework client(String credentials) {
		CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
			.connectString(server.getConnectString())
			.retryPolicy(new RetryOneTime(100));
		if (credentials != null) {
			builder.authorization("digest", credentials.getBytes(StandardCharsets.UTF_8));
		}
		CuratorFramework client = builder.build();
		client.start();
		return client;
	}

	@Test
	void idsContainTheWorkerIdAssignedByZooKeeper() {
		IdGenerator generator = application.getBean(IdGenerator.class);
		long[] ids = LongStream.generate(() -> generator.nextId("message")).limit(10_000).toArray();
		assertThat(ids).isSorted().doesNotHaveDuplicates();
		assertThat(LongStream.of(ids).map((id) -> SnowflakeLayout.LEAF.decode(id).workerId()).distinct())
			.containsExactly(1L);
	}

	@Test
	void theNodesAreBelowThePathAndOnlyAccessibleWithTheCredentials() throws Exception {
		ACL all = new ACL(Perms.ALL, new Id("digest", DigestAuthenticationProvider.generateDigest(CREDENTIALS)));
		List<String> nodes = ZKUtil.listSubTreeBFS(owner.getZookeeperClient().getZooKeeper(), "/apps/snowflake");
		nodes.remove("/apps/snowflake");
		assertThat(nodes).contains("/apps/snowflake/orders/forever", "/apps/snowflake/orders/leases/1");
		try (CuratorFramework stranger = client(null)) {
			for (String node : nodes) {
				assertThat(owner.getACL().forPath(node)).as(node).containsExactly(all);
				assertThatExceptionOfType(KeeperException.NoAuthException.class).as(node)
					.isThrownBy(() -> stranger.getData().forPath(node));
			}
		}
		assertThat(owner.checkExists().forPath("/snowflake")).isNull();
	}

	@Test
	void startupFailsWithOtherCredentials(CapturedOutput output) {
		assertThatException().isThrownBy(() -> run("/apps", "--leaf.snowflake.zookeeper.auth=orders:wrong"));
		assertThat(output)
			.contains("APPLICATION FAILED TO START", "ZooKeeper at " + server.getConnectString(), "denied access to",
					"Set leaf.snowflake.zookeeper.auth to user:password")
			.doesNotContain("orders:wrong");
	}

	@Test
	void aMissingPathIsCreated() throws Exception {
		run("/nothing/yet/").close();
		assertThat(owner.checkExists().forPath("/nothing/yet/snowflake/orders/leases/1")).isNotNull();
	}

	/**
	 * An application without a database.
	 */
	@SpringBootApplication
	static class ZooKeeperApplication {

	}

}
