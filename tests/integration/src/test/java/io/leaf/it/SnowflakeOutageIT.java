// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

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
 * Tests with a real ZooKeeper that is killed or frozen while an application draws
 * snowflake IDs.
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
	void callersDoNotNoticeThatZooKeeperWasKilled() throws Exception {
		outage(this.zookeeper::kill, this.zookeeper::start);
	}

	@Test
	@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true",
			disabledReason = "one kind of outage is enough")
	void callersDoNotNoticeThatZooKeeperIsFrozen() throws Exception {
		outage(this.zookeeper::pause, this.zookeeper::resume);
	}

	private void outage(Runnable begin, Runnable end) throws Exception {
		try (ConfigurableApplicationContext context = start()) {
			Callers callers = new Callers(context.getBean(IdGenerator.class));
			try {
				begin.run();
				await().atMost(PATIENCE).until(() -> status(context).lastError() != null);
				callers.awaitCalls(100_000);
				end.run();
				await().atMost(PATIENCE).until(() -> status(context).lastError() == null);
				Instant horizon = status(context).horizon();
				await().atMost(PATIENCE).until(() -> status(context).horizon().isAfter(horizon));
				callers.awaitCalls(100_000);
				assertThat(status(context).workerIds()).containsExactly(1L);
			}
			finally {
				callers.stop();
			}
		}
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
				.hasStackTraceContaining("no earlier process has saved one"));
	}

	private static SnowflakeId next(ConfigurableApplicationContext context) {
		return SnowflakeLayout.LEAF.decode(context.getBean(IdGenerator.class).nextId("order"));
	}

	/**
	 * Draws IDs continuously on two threads. Fails at the first call that throws, or
	 * whose ID does not ascend.
	 */
	private static final class Callers {

		private final AtomicBoolean stopped = new AtomicBoolean();

		private final AtomicLong calls = new AtomicLong();

		private final Thread[] threads = new Thread[2];

		private volatile Throwable failure;

		Callers(IdGenerator generator) {
			for (int i = 0; i < this.threads.length; i++) {
				this.threads[i] = new Thread(() -> draw(generator), "caller-" + i);
				this.threads[i].start();
			}
		}

		private void draw(IdGenerator generator) {
			try {
				long last = 0;
				while (!this.stopped.get()) {
					long id = generator.nextId("order");
					assertThat(id).isGreaterThan(last);
					last = id;
					if (this.calls.incrementAndGet() % 100 == 0) {
						LockSupport.parkNanos(1_000_000);
					}
				}
			}
			catch (Throwable ex) {
				this.failure = ex;
			}
		}

		void awaitCalls(long count) {
			long goal = this.calls.get() + count;
			await().atMost(PATIENCE).until(() -> this.failure != null || this.calls.get() > goal);
			assertThat(this.failure).isNull();
		}

		void stop() throws InterruptedException {
			this.stopped.set(true);
			for (Thread thread : this.threads) {
				thread.join();
			}
			assertThat(this.failure).isNull();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class })
	static class Application {

	}

}
