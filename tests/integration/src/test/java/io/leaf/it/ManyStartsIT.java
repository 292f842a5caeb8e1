// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeSettings;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.snowflake.lease.LeaseSettings;
import io.leaf.snowflake.lease.zookeeper.ZooKeeperSettings;
import io.leaf.snowflake.lease.zookeeper.ZooKeeperWorkerLeaseStore;
import io.leaf.test.server.ZooKeeperProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a thousand generators that start at the same time on one real ZooKeeper server,
 * each with its own connection: first on an empty tree, then, after all of them have shut
 * down gracefully, with new labels, as in a rolling deployment.
 */
@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true", disabledReason = "starts a thousand generators")
class ManyStartsIT {

	private static final Logger logger = LoggerFactory.getLogger(ManyStartsIT.class);

	private static final int COUNT = 1000;

	/**
	 * The maximum number of packets per start, without the one that opens the session.
	 */
	private static final int MAX_PACKETS = 8;

	private final ZooKeeperProcess server = ZooKeeperProcess.launch();

	@Test
	void eachStartGetsAWorkerIdWithAFewRequests() throws Exception {
		try (this.server) {
			start("an empty tree", "old");
			start("worker IDs that were released", "new");
		}
	}

	private void start(String where, String label) throws Exception {
		List<LeaseKeeper> keepers = Collections.synchronizedList(new ArrayList<>());
		Set<Long> workerIds = ConcurrentHashMap.newKeySet();
		CountDownLatch go = new CountDownLatch(1);
		ExecutorService threads = Executors.newFixedThreadPool(COUNT);
		long received = this.server.received();
		long begin = System.nanoTime();
		try {
			List<Future<?>> starts = new ArrayList<>();
			for (int i = 0; i < COUNT; i++) {
				String host = label + i;
				starts.add(threads.submit(() -> {
					go.await();
					LeaseKeeper keeper = keeper(host);
					keeper.start();
					keepers.add(keeper);
					return workerIds.addAll(keeper.status().workerIds());
				}));
			}
			go.countDown();
			for (Future<?> one : starts) {
				one.get();
			}
			long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
			double requests = (this.server.received() - received) / (double) COUNT;
			logger.info("{} simultaneous starts on {}: {} ms, {} packets each, including those of the connection",
					COUNT, where, millis, requests);
			assertThat(workerIds).hasSize(COUNT);
			// one more packet opens the session
			assertThat(requests).isLessThan(MAX_PACKETS + 1);
		}
		finally {
			List<Future<?>> ends = new ArrayList<>();
			keepers.forEach((keeper) -> ends.add(threads.submit(keeper::close)));
			for (Future<?> one : ends) {
				one.get();
			}
			threads.shutdownNow();
		}
	}

	private LeaseKeeper keeper(String host) {
		ZooKeeperSettings settings = new ZooKeeperSettings(this.server.connectString(), null, Duration.ofMinutes(1),
				Duration.ofMinutes(1));
		SnowflakeLanes lanes = new SnowflakeLanes(
				new SnowflakeSettings(SnowflakeLayout.LEAF, Duration.ofMillis(100), 1, Duration.ofSeconds(2)),
				new GeneratorClock(InstantSource.system(), System::nanoTime, Duration.ofSeconds(10)));
		// no renewal occurs during the measurement
		LeaseSettings lease = new LeaseSettings("orders", host + ":8080", Duration.ofMinutes(10), Duration.ofHours(1),
				Duration.ofSeconds(10));
		return new LeaseKeeper(ZooKeeperWorkerLeaseStore.connectingTo(settings, "orders", host, "8080"), null, lanes,
				lease);
	}

}
