// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of the packaged jar: with the profile {@code embedded}, started as in the Docker
 * image, as the replacement of a server of Meituan's Leaf, and as two servers, one of
 * which is killed while a client uses both.
 */
class LeafServerJarIT {

	private static final Pattern LAYER = Pattern.compile("^COPY --from=extracted .*/(build/layers/[^ /]+)/ ./$");

	private static final Pattern QUOTED = Pattern.compile("\"([^\"]+)\"");

	@TempDir
	Path folder;

	private Server database;

	private String url;

	private Connection connection;

	@BeforeEach
	void startDatabase() throws SQLException {
		this.database = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
		this.url = "jdbc:h2:tcp://localhost:%d/%s".formatted(this.database.getPort(), this.folder.resolve("leaf"));
		this.connection = DriverManager.getConnection(this.url);
		execute("CREATE TABLE leaf_alloc (biz_tag VARCHAR(128) PRIMARY KEY, max_id BIGINT NOT NULL,"
				+ " step INT NOT NULL, description VARCHAR(256), update_time TIMESTAMP DEFAULT CURRENT_TIMESTAMP)");
		execute("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('leaf-segment-test', 4001, 2000)");
	}

	@AfterEach
	void stopDatabase() throws SQLException {
		this.connection.close();
		this.database.stop();
	}

	private void execute(String sql) throws SQLException {
		try (Statement statement = this.connection.createStatement()) {
			statement.execute(sql);
		}
	}

	@Test
	void embeddedProfileNeedsNoConfiguration() throws Exception {
		try (ServerProcess server = new ServerProcess(this.folder, List.of(), "--spring.profiles.active=embedded")) {
			assertThat(server.api("/api/segment/get/leaf-segment-test").body()).isEqualTo("1");
			assertThat(server.api("/api/snowflake/get/test").body()).matches("\\d{19}");
			assertThat(server.management("/cache").body()).contains("<td>leaf-segment-test</td>");
			assertThat(server.management("/actuator/health/leaf").body()).contains("\"status\":\"UP\"");
		}
	}

	// runs the commands of the Dockerfile without its base images
	@Test
	@EnabledForJreRange(min = JRE.JAVA_25, disabledReason = "the image has JDK 25")
	void theImageStartsFromTheClassesThatItsBuildRecorded() throws Exception {
		List<String> file = Files.readAllLines(Repository.file("leaf-server/Dockerfile"));
		List<String> runs = file.stream().filter((line) -> line.startsWith("RUN java ")).toList();
		assertThat(runs).hasSize(2);
		Path build = Files.createDirectory(this.folder.resolve("build"));
		Files.copy(Path.of(System.getProperty("server.jar")), build.resolve("leaf-server.jar"));
		run(build, runs.get(0));
		Path image = Files.createDirectory(this.folder.resolve("image"));
		for (String line : file) {
			Matcher copied = LAYER.matcher(line);
			if (copied.find()) {
				FileSystemUtils.copyRecursively(this.folder.resolve(copied.group(1)), image);
			}
		}
		run(image, runs.get(1));
		List<String> command = new ArrayList<>(file.stream()
			.filter((line) -> line.startsWith("ENTRYPOINT "))
			.flatMap((line) -> QUOTED.matcher(line).results())
			.map((word) -> word.group(1))
			.toList());
		assertThat(command.remove(0)).isEqualTo("java");
		command.addAll(0, List.of(ServerProcess.java(), "-XX:AOTMode=on"));
		command.addAll(List.of("--spring.profiles.active=embedded", "--server.port=0", "--management.server.port=0"));
		try (ServerProcess server = ServerProcess.ofCommand(image, command)) {
			assertThat(server.api("/api/segment/get/leaf-segment-test").body()).isEqualTo("1");
		}
	}

	private static void run(Path folder, String line) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(List.of(line.substring("RUN java ".length()).split(" ")));
		command.add(0, ServerProcess.java());
		Path output = folder.resolve("output.txt");
		int status = new ProcessBuilder(command).directory(folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start()
			.waitFor();
		assertThat(status).as("%s: %s", line, Files.readString(output)).isZero();
	}

	@Test
	@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true", disabledReason = "starts several processes")
	void theServerReplacesAServerOfMeituansLeaf() throws Exception {
		try (TestingServer zooKeeper = new TestingServer();
				CuratorFramework client = CuratorFrameworkFactory.newClient(zooKeeper.getConnectString(),
						new RetryOneTime(100))) {
			client.start();
			String forever = "/snowflake/com.example.leaf/forever";
			client.create()
				.creatingParentsIfNeeded()
				.withMode(CreateMode.PERSISTENT_SEQUENTIAL)
				.forPath(forever + "/10.0.0.1:8080-", ("{\"ip\":\"10.0.0.1\",\"port\":\"8080\",\"timestamp\":%d}"
					.formatted(System.currentTimeMillis())).getBytes(StandardCharsets.UTF_8));
			Files.writeString(this.folder.resolve("leaf.properties"), """
					leaf.name=com.example.leaf
					leaf.segment.enable=true
					leaf.jdbc.url=%s
					leaf.jdbc.username=
					leaf.jdbc.password=
					leaf.snowflake.enable=true
					leaf.snowflake.zk.address=%s
					leaf.snowflake.port=2181
					""".formatted(this.url, zooKeeper.getConnectString()));
			try (ServerProcess server = new ServerProcess(this.folder, List.of())) {
				assertThat(server.api("/api/segment/get/leaf-segment-test").body()).isEqualTo("4001");
				assertThat(server.management("/db").body()).contains("<td>leaf-segment-test</td><td>6001</td>");
				String id = server.api("/api/snowflake/get/test").body();
				assertThat(server.management("/decodeSnowflakeId?snowflakeId=" + id).body())
					.contains("\"workerId\":\"1\"");
				assertThat(client.getChildren().forPath(forever)).hasSize(2);
			}
		}
		assertThat(maxId()).as("unused numbers are given back").isEqualTo(4002);
	}

	private long maxId() throws SQLException {
		try (Statement statement = this.connection.createStatement();
				ResultSet row = statement
					.executeQuery("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'leaf-segment-test'")) {
			row.next();
			return row.getLong(1);
		}
	}

	@Test
	void withoutADatabaseTheServerDoesNotStartWithAnEmbeddedOne() throws Exception {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> new ServerProcess(this.folder, List.of()))
			.withMessageContaining("The server ended")
			.withMessageContaining("leaf.segment.datasource.url");
	}

	@Test
	void leafCanOpenTheFirstConnectionOfTheProcess() throws Exception {
		// if no schema is initialized, the first threads that load the driver are Leaf's
		try (ServerProcess server = new ServerProcess(this.folder, List.of(),
				"--leaf.segment.datasource.url=" + this.url, "--leaf.segment.initialize-schema=never")) {
			assertThat(server.api("/api/segment/get/leaf-segment-test").body()).isEqualTo("4001");
		}
	}

	@Test
	@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true", disabledReason = "starts several processes")
	void aClientThatSwitchesServersLosesNoIdsWhenAServerIsKilled() throws Exception {
		String database = "--leaf.segment.datasource.url=" + this.url;
		List<String> ids = new ArrayList<>();
		try (ServerProcess first = new ServerProcess(this.folder, List.of(), database);
				ServerProcess second = new ServerProcess(this.folder, List.of(), database)) {
			List<ServerProcess> servers = new ArrayList<>(List.of(first, second));
			for (int request = 0; request < 300; request++) {
				if (request == 100) {
					first.kill();
				}
				ids.addAll(requestIds(servers, request));
			}
			assertThat(servers).containsExactly(second);
		}
		assertThat(ids).hasSize(30_000).doesNotHaveDuplicates();
	}

	private static List<String> requestIds(List<ServerProcess> servers, int request)
			throws IOException, InterruptedException {
		ServerProcess server = servers.get(request % servers.size());
		try {
			return Stream.of(server.api("/api/segment/get/leaf-segment-test?count=100").body().split("\n")).toList();
		}
		catch (ConnectException ex) {
			servers.remove(server);
			return requestIds(servers, request);
		}
	}

}
