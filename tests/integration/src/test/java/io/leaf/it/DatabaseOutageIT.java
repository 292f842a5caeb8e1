// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

import javax.sql.DataSource;

import io.leaf.IdSequence;
import io.leaf.SegmentUnavailableException;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStatus;
import io.leaf.test.server.ControllableServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.TestScope;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests outages of the database under load, and the recovery afterwards.
 */
class DatabaseOutageIT {

	private static final Logger logger = LoggerFactory.getLogger(DatabaseOutageIT.class);

	private static final int THREADS = 4;

	private static final Duration OUTAGE = Duration.ofSeconds(TestScope.isFull() ? 15 : 5);

	private final ControllableServer server = Databases.startMysql();

	private final ConfigurableApplicationContext context = LeafApplication.start(
			new String[] { "spring.datasource.url=" + this.server.createDatabase("outage"),
					"spring.datasource.username=" + this.server.username(),
					"spring.datasource.password=" + this.server.password() },
			"leaf.segment.initialize-schema=always", "leaf.segment.max-step=4000");

	private final SegmentIdGenerator generator = this.context.getBean(SegmentIdGenerator.class);

	@AfterEach
	void close() {
		this.context.close();
		this.server.close();
	}

	@Test
	@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true",
			disabledReason = "one kind of outage is enough")
	void recoversAfterTheDatabaseWasStopped() {
		outage(ControllableServer::stop, ControllableServer::start);
	}

	@Test
	void recoversAfterTheDatabaseWasKilled() {
		outage(ControllableServer::kill, ControllableServer::start);
	}

	@Test
	@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true",
			disabledReason = "one kind of outage is enough")
	void recoversAfterTheDatabaseWasFrozen() {
		outage(ControllableServer::pause, ControllableServer::resume);
	}

	private void outage(Consumer<ControllableServer> begin, Consumer<ControllableServer> end) {
		new JdbcTemplate(this.context.getBean(DataSource.class))
			.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 4000)");
		IdSequence sequence = this.generator.sequence("order");
		ConcurrentMap<Long, Boolean> ids = new ConcurrentHashMap<>();
		try (Load load = new Load(THREADS, 1, () -> {
			long id = sequence.nextId();
			assertThat(ids.put(id, true)).as("ID %d was issued twice", id).isNull();
			return id;
		})) {
			await().until(() -> load.issued() > 5000);
			long before = load.issued();
			begin.accept(this.server);
			long start = System.nanoTime();
			await().until(load::hasFailed);
			long fromMemory = load.issued() - before;
			assertThat(fromMemory).as("IDs issued from the buffers").isPositive();
			assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(sequence::nextId)
				.withMessageContaining("'order'");
			// a frozen server does not answer, so a fetch fails only when its timeout has
			// passed
			await().until(() -> System.nanoTime() - start >= OUTAGE.toNanos() && load.failures() >= THREADS
					&& this.generator.status("order").failures() > 0);
			long failures = load.failures();
			assertThat(failures).as("failures, one per thread and acquire timeout").isLessThanOrEqualTo(80);
			end.accept(this.server);
			long back = System.nanoTime();
			long atEnd = load.issued();
			await().until(() -> load.issued() > atEnd + 5000);
			logger.info("{} IDs from the buffers, {} calls failed, 5000 further IDs {} ms after the outage", fromMemory,
					failures, (System.nanoTime() - back) / 1_000_000);
			SegmentStatus status = this.generator.status("order");
			assertThat(status.failures()).isPositive();
			assertThat(status.lastError()).isNotNull();
		}
		assertThat(this.generator.nextId("order")).isPositive();
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofMinutes(2)).pollInterval(Duration.ofMillis(20));
	}

}
