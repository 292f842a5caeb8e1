// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.snowflake.lease.zookeeper.ZooKeeperSettings;
import io.leaf.snowflake.lease.zookeeper.ZooKeeperWorkerLeaseStore;
import io.leaf.test.server.ZooKeeperProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests processes that draw snowflake IDs from an ensemble of three real ZooKeeper
 * servers, whose leader is killed or frozen.
 */
@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true", disabledReason = "starts several processes")
class ZooKeeperEnsembleIT {

	private static final Logger logger = LoggerFactory.getLogger(ZooKeeperEnsembleIT.class);

	private static final Duration PATIENCE = Duration.ofSeconds(90);

	private static final int PROCESSES = 3;

	private final List<ZooKeeperProcess> ensemble = ZooKeeperProcess.launchEnsemble(3);

	private final String connectString = this.ensemble.stream()
		.map(ZooKeeperProcess::connectString)
		.collect(Collectors.joining(","));

	private final List<SnowflakeProcess> processes = new ArrayList<>();

	@TempDir
	private Path directory;

	@AfterEach
	void close() {
		this.processes.forEach((process) -> process.process.destroyForcibly());
		this.ensemble.forEach(ZooKeeperProcess::close);
	}

	@Test
	void noIdIsIssuedTwiceAndLeasesAreRenewedUnderEachNewLeader() throws Exception {
		for (int i = 0; i < PROCESSES; i++) {
			Path own = Files.createDirectory(this.directory.resolve("process-" + i));
			this.processes.add(SnowflakeProcess.start(own, "process", 8080 + i, this.connectString));
		}
		await().atMost(PATIENCE).until(() -> this.processes.stream().allMatch(SnowflakeProcess::hasBegun));
		try (ZooKeeperWorkerLeaseStore observer = ZooKeeperWorkerLeaseStore.connectingTo(
				new ZooKeeperSettings(this.connectString, null, Duration.ofSeconds(6), Duration.ofSeconds(30)),
				"orders", "10.0.0.99", "1")) {
			observer.open(SnowflakeLayout.LEAF);
			changeLeader(observer, "killed", ZooKeeperProcess::kill, ZooKeeperProcess::start);
			changeLeader(observer, "frozen", ZooKeeperProcess::pause, ZooKeeperProcess::resume);
			changeLeader(observer, "killed again", ZooKeeperProcess::kill, ZooKeeperProcess::start);
		}
		for (SnowflakeProcess process : this.processes) {
			assertThat(process.process.isAlive()).as("%s", process.log()).isTrue();
			process.process.destroyForcibly().waitFor();
		}
		List<long[]> drawn = new ArrayList<>();
		for (SnowflakeProcess process : this.processes) {
			drawn.addAll(process.takeIds());
		}
		long[] ids = drawn.stream().flatMapToLong(Arrays::stream).sorted().toArray();
		logger.info("{} IDs were drawn under four leaders", ids.length);
		assertThat(ids).hasSizeGreaterThan(100_000);
		assertThat(IntStream.range(1, ids.length).filter((i) -> ids[i] == ids[i - 1]).mapToObj((i) -> ids[i]))
			.isEmpty();
	}

	private void changeLeader(ZooKeeperWorkerLeaseStore observer, String what, ServerAction fault, ServerAction undo) {
		ZooKeeperProcess leader = this.ensemble.stream().filter(ZooKeeperProcess::isLeader).findFirst().orElseThrow();
		fault.run(leader);
		await().pollInterval(Duration.ofMillis(20))
			.atMost(PATIENCE)
			.until(() -> this.ensemble.stream().anyMatch((server) -> server != leader && server.isLeader()));
		long elected = System.nanoTime();
		long before = latest(observer).stream().mapToLong(Long::longValue).max().orElseThrow();
		await().pollInterval(Duration.ofMillis(50))
			.atMost(PATIENCE)
			.until(() -> latest(observer).stream().filter((report) -> report > before).count() == PROCESSES);
		logger.info("The leader was {}; all leases were renewed {} ms after the next leader was elected", what,
				TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - elected));
		undo.run(leader);
	}

	private static List<Long> latest(ZooKeeperWorkerLeaseStore observer) {
		return await().atMost(PATIENCE)
			.ignoreExceptionsInstanceOf(WorkerLeaseStoreException.class)
			.until(() -> observer.readAll().stream().map((record) -> stored(record)).toList(),
					(reports) -> !reports.isEmpty());
	}

	private static long stored(LeaseRecord record) {
		Long stored = record.storedAt();
		assertThat(stored).isNotNull();
		return stored;
	}

	private interface ServerAction {

		void run(ZooKeeperProcess server);

	}

}
