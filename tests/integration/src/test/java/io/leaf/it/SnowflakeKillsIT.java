// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.test.server.TestScope;
import io.leaf.test.server.ZooKeeperProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests three processes on one ZooKeeper server, with 8 threads each, of which a random
 * one is killed every second. {@code -Dleaf.kills=120} runs the test for two minutes.
 */
class SnowflakeKillsIT {

	private static final Logger logger = LoggerFactory.getLogger(SnowflakeKillsIT.class);

	private static final int PROCESSES = 3;

	private static final int KILLS = Integer.getInteger("leaf.kills", TestScope.isFull() ? 20 : 5);

	private final ZooKeeperProcess zookeeper = ZooKeeperProcess.launch();

	private final Random random = new Random(42);

	private final SnowflakeProcess[] running = new SnowflakeProcess[PROCESSES];

	/**
	 * The process that has used each timestamp of a worker ID.
	 */
	private final Map<Long, Integer> users = new HashMap<>();

	@TempDir
	private Path directory;

	private int started;

	private long total;

	@AfterEach
	void close() {
		for (SnowflakeProcess process : this.running) {
			if (process != null) {
				process.process.destroyForcibly();
			}
		}
		this.zookeeper.close();
	}

	@Test
	void noIdIsIssuedTwiceWhenProcessesAreKilled() throws Exception {
		for (int i = 0; i < PROCESSES; i++) {
			start(i);
		}
		List<SnowflakeProcess> ended = new ArrayList<>();
		for (int kill = 0; kill < KILLS; kill++) {
			long begin = System.nanoTime();
			await().until(() -> System.nanoTime() - begin > Duration.ofSeconds(1).toNanos());
			int victim = this.random.nextInt(PROCESSES);
			this.running[victim].process.destroyForcibly().waitFor();
			ended.add(this.running[victim]);
			start(victim);
		}
		for (SnowflakeProcess process : this.running) {
			await().atMost(Duration.ofMinutes(1)).until(() -> process.hasBegun() || !process.process.isAlive());
			assertThat(process.process.isAlive()).as(process.log()).isTrue();
		}
		for (SnowflakeProcess process : this.running) {
			process.process.destroyForcibly().waitFor();
			ended.add(process);
		}
		int drew = 0;
		for (int i = 0; i < ended.size(); i++) {
			drew += check(i, ended.get(i).takeIds()) ? 1 : 0;
		}
		logger.info("{} IDs of {} processes, {} of which were killed before they drew any", this.total, this.started,
				this.started - drew);
		assertThat(drew).isGreaterThanOrEqualTo(PROCESSES);
	}

	private void start(int index) throws IOException {
		this.running[index] = SnowflakeProcess.start(this.directory, "p" + this.started++, 8080 + index,
				this.zookeeper.connectString());
	}

	private boolean check(int process, List<long[]> threads) {
		long[] all = threads.stream().flatMapToLong(Arrays::stream).sorted().toArray();
		long lastTick = -1;
		for (int i = 0; i < all.length; i++) {
			if (i > 0 && all[i] == all[i - 1]) {
				throw new AssertionError("%d was issued twice by process %d".formatted(all[i], process));
			}
			long tick = all[i] >>> SnowflakeLayout.LEAF.sequenceBits();
			if (tick != lastTick) {
				Integer other = this.users.put(tick, process);
				if (other != null) {
					throw new AssertionError(
							"The timestamp of %d was used by processes %d and %d".formatted(all[i], other, process));
				}
				lastTick = tick;
			}
		}
		for (long[] ids : threads) {
			for (int i = 1; i < ids.length; i++) {
				if (ids[i] <= ids[i - 1]) {
					throw new AssertionError("%d was issued after %d".formatted(ids[i], ids[i - 1]));
				}
			}
		}
		this.total += all.length;
		return all.length > 0;
	}

}
