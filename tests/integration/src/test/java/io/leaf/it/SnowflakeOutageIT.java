// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

import io.leaf.IdGenerator;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.snowflake.SnowflakeId;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.test.server.ZooKeeperProcess;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Tests an application that draws snowflake IDs while a real ZooKeeper server is killed
 * or frozen.
 */
class SnowflakeOutageIT {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	@AutoClose
	private final ZooKeeperProcess zookeeper = ZooKeeperProcess.launch();

	@TempDir
	private Path directory;

	private ConfigurableApplicationContext start(String... properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "spring.main.register-shutdown-hook=false", "leaf.name=orders",
					"leaf.snowflake.enabled=true", "leaf.snowflake.report-interval=1s",
					"leaf.snowflake.zookeeper.connect-string=" + this.zookeeper.connectString(),
					"leaf.snowflake.zookeeper.connection-timeout=2s", "leaf.snowflake.state-dir=" + this.directory)
			.properties(properties)
			.run();
	}

	private static LeaseKeeper.Status status(ConfigurableApplicationContext context) {
		return context.getBean(LeaseKeeper.class).status();
	}

	@Test
	void callersDoNotNoticeThatZooKeeperWasKilled() {
		outage(this.zookeeper::kill, this.zookeeper::start);
	}

	@Test
	@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true",
			disabledReason = "one kind of outage is enough")
	void callersDoNotNoticeThatZooKeeperIsFrozen() {
		outage(this.zookeeper::pause, this.zookeeper::resume);
	}

	private void outage(Runnable begin, Runnable end) {
		try (ConfigurableApplicationContext context = start()) {
			IdGenerator generator = context.getBean(IdGenerator.class);
			Load load = new Load(2, 50, () -> generator.nextId("order"));
			try (load) {
				begin.run();
				await().atMost(PATIENCE).until(() -> status(context).lastError() != null);
				awaitIssued(load, 100_000);
				end.run();
				await().atMost(PATIENCE).until(() -> status(context).lastError() == null);
				Instant horizon = status(context).horizon();
				await().atMost(PATIENCE).until(() -> status(context).horizon().isAfter(horizon));
				awaitIssued(load, 100_000);
				assertThat(status(context).workerIds()).containsExactly(1L);
			}
			assertThat(load.failures()).isZero();
		}
	}

	private static void awaitIssued(Load load, long count) {
		long goal = load.issued() + count;
		await().atMost(PATIENCE).until(() -> load.hasFailed() || load.issued() > goal);
		assertThat(load.failures()).isZero();
	}

	@Test
	void aRestartWhileZooKeeperIsDownResumesTheSameWorkerId() {
		SnowflakeId last;
		try (ConfigurableApplicationContext context = start()) {
			last = next(context);
			this.zookeeper.kill();
		}
		try (ConfigurableApplicationContext context = start()) {
			SnowflakeId next = next(context);
			assertThat(next.workerId()).isEqualTo(last.workerId());
			assertThat(next.timestamp()).isAfter(last.timestamp());
			assertThat(status(context).lastError()).contains("leaf.snowflake.zookeeper.connect-string");
			this.zookeeper.start();
			await().atMost(PATIENCE).until(() -> status(context).lastError() == null);
			assertThat(next(context).workerId()).isEqualTo(last.workerId());
		}
		try (ConfigurableApplicationContext context = start()) {
			assertThat(next(context).workerId()).isEqualTo(last.workerId());
		}
	}

	@Test
	void aCopiedStateDirectoryIsRefused() {
		try (ConfigurableApplicationContext context = start()) {
			next(context);
			this.zookeeper.kill();
		}
		assertThatException().isThrownBy(() -> start("leaf.snowflake.host=10.99.99.99"))
			.havingRootCause()
			.satisfies((ex) -> assertThat(ex).hasStackTraceContaining("may be a copy"));
	}

	@Test
	void aFirstStartWithoutZooKeeperFails() {
		this.zookeeper.kill();
		assertThatException().isThrownBy(this::start)
			.satisfies((ex) -> assertThat(ex).hasStackTraceContaining(WorkerIdUnavailableException.class.getName())
				.hasStackTraceContaining("leaf.snowflake.zookeeper.connect-string")
				.hasStackTraceContaining("no lease is saved"));
	}

	private static SnowflakeId next(ConfigurableApplicationContext context) {
		return SnowflakeLayout.LEAF.decode(context.getBean(IdGenerator.class).nextId("order"));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class })
	static class Application {

	}

}
