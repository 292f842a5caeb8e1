// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.time.Duration;

import javax.sql.DataSource;

import io.leaf.IdSequence;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStatus;
import io.leaf.test.server.DatabaseServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.TcpProxy;
import io.leaf.test.server.TestScope;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that no call waits if the database answers after 100 ms, the step has adapted,
 * and four threads draw a million IDs per second.
 */
class LatencyIT {

	private static final Logger logger = LoggerFactory.getLogger(LatencyIT.class);

	private static final Duration DURATION = Duration
		.ofSeconds(Integer.getInteger("leaf.test.latency.seconds", TestScope.isFull() ? 30 : 5));

	private static final long MAX_STEP = 1_000_000;

	@Test
	void noCallerWaitsOnceTheStepHasAdapted() {
		DatabaseServer server = Databases.mysql();
		String url = server.createDatabase("latency");
		try (TcpProxy proxy = TcpProxy.inFrontOf(url);
				ConfigurableApplicationContext context = LeafApplication.start(
						new String[] { "spring.datasource.url=" + proxy.through(url),
								"spring.datasource.username=" + server.username(),
								"spring.datasource.password=" + server.password() },
						"leaf.segment.initialize-schema=always")) {
			new JdbcTemplate(context.getBean(DataSource.class))
				.update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 1000)");
			run(context, proxy);
		}
	}

	private void run(ConfigurableApplicationContext context, TcpProxy proxy) {
		SegmentIdGenerator generator = context.getBean(SegmentIdGenerator.class);
		IdSequence sequence = generator.sequence("order");
		proxy.latency(Duration.ofMillis(50));
		do {
			sequence.nextIds(1000);
		}
		while (status(generator).step() < MAX_STEP);
		// the current segment is past the prefetch mark, and the next one has arrived
		Awaitility.await().until(() -> {
			sequence.nextIds(1000);
			return status(generator).next() != null;
		});
		SegmentStatus before = status(generator);
		long start = System.nanoTime();
		try (Load load = new Load(4, 250, sequence)) {
			Awaitility.await()
				.atMost(DURATION.multipliedBy(2))
				.until(() -> System.nanoTime() - start >= DURATION.toNanos());
			SegmentStatus after = status(generator);
			long fetches = after.fetches() - before.fetches();
			double seconds = (System.nanoTime() - start) / 1e9;
			logger.info("{} IDs/s for {} s from 4 threads, {} segments, {} calls waited",
					Math.round(load.issued() / seconds), Math.round(seconds), fetches, after.waits() - before.waits());
			assertThat(fetches).as("segments, one per second at the full rate").isGreaterThan(DURATION.toSeconds() / 4);
			assertThat(after.waits()).isEqualTo(before.waits());
			assertThat(after.failures()).isEqualTo(before.failures());
			assertThat(load.failures()).isZero();
		}
	}

	private static SegmentStatus status(SegmentIdGenerator generator) {
		return generator.status("order");
	}

}
