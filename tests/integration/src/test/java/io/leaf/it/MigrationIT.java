// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.ZooKeeperProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.DefaultResourceLoader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the migration from a server of Meituan's Leaf to the starter and back, with the
 * same table, the same tree and the same {@code leaf.properties}. In each stage, all
 * running servers and applications issue IDs at the same time, in both modes. No ID may
 * be issued twice.
 */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MigrationIT {

	private static final String NAME = "com.sankuai.leaf.opensource.test";

	private static final String KEY = "leaf-segment-test";

	/**
	 * How many names of the file have changed since.
	 */
	private static final int FORMER_NAMES = 6;

	private static final String IP = "10.0.0.9";

	@AutoClose
	private final ZooKeeperProcess zookeeper = ZooKeeperProcess.launch();

	private final DrawnIds drawn = new DrawnIds();

	@TempDir
	private Path classpath;

	@TempDir
	private Path state;

	private Path file;

	@BeforeEach
	void prepare() throws IOException, SQLException {
		DatabaseServer server = Databases.mysql();
		String url = server.createDatabase("migration");
		try (Connection connection = server.connect(url); Statement statement = connection.createStatement()) {
			statement.execute("""
					CREATE TABLE leaf_alloc (
					  biz_tag varchar(128) NOT NULL DEFAULT '',
					  max_id bigint(20) NOT NULL DEFAULT '1',
					  step int(11) NOT NULL,
					  description varchar(256) DEFAULT NULL,
					  update_time timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
					  PRIMARY KEY (biz_tag)
					) ENGINE=InnoDB
					""");
			statement.execute(
					"INSERT INTO leaf_alloc (biz_tag, max_id, step, description) VALUES ('leaf-segment-test', 1, 2000, 'Test leaf Segment Mode Get Id')");
		}
		this.file = Files.writeString(this.classpath.resolve("leaf.properties"), """
				leaf.name=%s
				leaf.segment.enable=true
				leaf.jdbc.url=%s
				leaf.jdbc.username=%s
				leaf.jdbc.password=%s

				leaf.snowflake.enable=true
				leaf.snowflake.zk.address=%s
				leaf.snowflake.port=8686
				""".formatted(NAME, url, server.username(), server.password(), this.zookeeper.connectString()),
				StandardCharsets.ISO_8859_1);
	}

	@Test
	void noIdIsIssuedTwiceDuringTheMigrationAndTheWayBack(CapturedOutput output) throws Exception {
		long leafWorkerId;
		try (MeituanLeafServer leaf = startLeaf()) {
			draw(leaf);
			leafWorkerId = leaf.workerId();
		}
		Set<Long> ownWorkerIds;
		try (ConfigurableApplicationContext application = startApplication()) {
			assertThat(output).contains("were read from " + this.file.toUri().toURL());
			assertThat(output.toString().split(" has a new name: ")).as("warnings").hasSize(1 + FORMER_NAMES);
			ownWorkerIds = workerIds(application);
			drawAlongsideALeafServer(application, leafWorkerId);
			draw(application);
			beginTheWayBack(application, leafWorkerId);
			assertThat(workerIds(application)).isEqualTo(ownWorkerIds);
		}
		Set<Long> all = new TreeSet<>(ownWorkerIds);
		try (MeituanLeafServer leaf = startLeaf();
				MeituanLeafServer another = MeituanLeafServer.start(this.file, IP, "8687")) {
			draw(leaf, another);
			assertThat(leaf.workerId()).isEqualTo(leafWorkerId);
			all.add(leafWorkerId);
			assertThat(all.add((long) another.workerId())).isTrue();
		}
		assertThat(this.drawn.snowflakeIds().map((id) -> SnowflakeLayout.LEAF.decode(id).workerId()).boxed())
			.containsAll(all);
	}

	private void drawAlongsideALeafServer(ConfigurableApplicationContext application, long leafWorkerId)
			throws Exception {
		try (MeituanLeafServer leaf = startLeaf()) {
			assertThat(leaf.workerId()).isEqualTo(leafWorkerId);
			draw(leaf, application);
			// the reports of the server and the renewals of the application do not
			// interfere
			await().atMost(Duration.ofMinutes(1)).until(() -> leaf.reports() >= 2);
			draw(leaf, application);
		}
	}

	private void beginTheWayBack(ConfigurableApplicationContext application, long leafWorkerId) throws Exception {
		try (MeituanLeafServer leaf = startLeaf();
				MeituanLeafServer another = MeituanLeafServer.start(this.file, "10.0.0.10")) {
			assertThat(leaf.workerId()).isEqualTo(leafWorkerId);
			assertThat(workerIds(application)).doesNotContain(leafWorkerId, (long) another.workerId());
			draw(leaf, another, application);
		}
	}

	private MeituanLeafServer startLeaf() throws Exception {
		return MeituanLeafServer.start(this.file, IP);
	}

	/**
	 * Starts an application with the starter. It has the file of the server on its
	 * classpath, and runs on the same machine, so that both have the same label.
	 */
	private ConfigurableApplicationContext startApplication() throws IOException {
		URLClassLoader classLoader = new URLClassLoader(new URL[] { this.classpath.toUri().toURL() },
				getClass().getClassLoader());
		return new SpringApplicationBuilder(new DefaultResourceLoader(classLoader), Application.class)
			.web(WebApplicationType.NONE)
			.run("--spring.main.register-shutdown-hook=false", "--leaf.snowflake.host=" + IP,
					"--leaf.snowflake.state-dir=" + this.state);
	}

	private static Set<Long> workerIds(ConfigurableApplicationContext application) {
		return Set.copyOf(application.getBean(LeaseKeeper.class).status().workerIds());
	}

	private void draw(Object... sources) throws Exception {
		this.drawn.draw(Stream.of(sources).map(MigrationIT::source).toArray(DrawnIds.Source[]::new));
	}

	private static DrawnIds.Source source(Object source) {
		if (source instanceof MeituanLeafServer leaf) {
			return new DrawnIds.Source(() -> leaf.segmentId(KEY), leaf::snowflakeId);
		}
		ApplicationContext application = (ApplicationContext) source;
		SnowflakeIdGenerator snowflake = application.getBean(SnowflakeIdGenerator.class);
		return new DrawnIds.Source(application.getBean(IdGenerator.class).sequence(KEY), () -> snowflake.nextId("any"));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class,
			LeafIdGeneratorAutoConfiguration.class })
	static class Application {

	}

}
