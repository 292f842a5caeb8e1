// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.leaf.it.faults.Progress.Number;
import io.leaf.test.server.TestScope;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tests processes that draw IDs of both modes while their environment fails. With
 * {@code -Dleaf.test.full=true}, each kind of fault is injected once. With
 * {@code -Dleaf.faults.ids=100000000}, random faults are injected as well, until that
 * many IDs have been drawn.
 * <p>
 * Each thread writes each batch of up to {@value IdDrawer#BATCH} IDs to its own file
 * before it draws the next batch. The written IDs outlive the process. So a duplicate in
 * the files is a duplicate that an application would have seen, and the test finds every
 * duplicate among the recorded IDs of all processes, regardless of how these ended. If a
 * process is killed while it draws a batch, the batch is neither recorded nor used.
 * <p>
 * IDs must ascend in each file, and between the threads of a process: each call must get
 * an ID that is larger than all IDs returned before the call began.
 * <p>
 * A fault that this machine does not allow is reported as missing, and fails the test
 * with {@code -Dleaf.test.full=true}.
 */
class ProcessFaultsIT {

	private static final Logger logger = LoggerFactory.getLogger(ProcessFaultsIT.class);

	private static final long IDS = Long.getLong("leaf.faults.ids", 0);

	private static final long SEED = Long.getLong("leaf.faults.seed", System.nanoTime());

	private static final Set<FaultKind> KINDS = EnumSet.allOf(FaultKind.class);

	private final Path directory = Path.of("target", "process-faults").toAbsolutePath();

	private final FaultReport report = new FaultReport();

	private final SoftAssertions softly = new SoftAssertions();

	private final long begin = System.nanoTime();

	@Test
	void noIdIsIssuedTwiceAndServiceRecoversByItself() throws Exception {
		Assumptions.assumeTrue(TestScope.isFull() || IDS > 0, "each kind of fault takes several seconds");
		logger.info("The seed of the random faults: -Dleaf.faults.seed={}", SEED);
		clear();
		try (Processes processes = new Processes(this.directory, this.report)) {
			this.report.missing().forEach((kind, reason) -> logger.error("NOT INJECTED: {}: {}", kind, reason));
			processes.start();
			try {
				inject(processes);
			}
			finally {
				processes.stop();
				check(processes);
				String page = this.report.toString();
				Files.writeString(this.directory.resolve("report.md"), page);
				logger.info("{}", page);
			}
		}
		this.softly.assertAll();
	}

	private void inject(Processes processes) throws Exception {
		try (FaultRunner runner = new FaultRunner(processes.streams, this.report)) {
			FaultPlan plan = new FaultPlan(processes, SEED);
			for (FaultPlan.Round round : plan.once(KINDS)) {
				runner.run(round);
			}
			while (processes.count(Number.IDS) < IDS) {
				runner.run(plan.next());
				logger.info("{} IDs so far", processes.count(Number.IDS));
			}
			this.report.fact("Starts that failed because a store was unavailable, and were repeated: %d",
					runner.failedStarts());
		}
		this.report.fact("Asserted for each fault: all served and renewed within %s", FaultRunner.BACK_WITHIN);
		Set<FaultKind> missing = EnumSet.copyOf(KINDS);
		missing.removeIf((kind) -> this.report.injected(kind) > 0);
		if (!TestScope.isFull()) {
			missing.removeAll(this.report.missing().keySet());
		}
		this.softly.assertThat(missing).as("faults that were not injected").isEmpty();
	}

	private void check(Processes processes) throws IOException {
		this.report.fact("%s, seed %d, %s", processes.database.product(), SEED,
				Duration.ofSeconds(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - this.begin)));
		this.report.fact("%d processes in %d slots, %d threads each",
				processes.slots.stream().mapToInt(DrawingSlot::started).sum(), processes.slots.size(),
				IdMode.values().length * DrawingApplication.THREADS);
		long recorded = check("segment", processes.segmentFiles())
				+ check("snowflake, worker IDs of ZooKeeper", processes.snowflakeFiles(LeaseSource.ZOOKEEPER))
				+ check("snowflake, worker IDs of a table", processes.snowflakeFiles(LeaseSource.TABLE));
		for (LeaseSource source : List.of(LeaseSource.ZOOKEEPER, LeaseSource.TABLE)) {
			this.report.fact("Worker IDs of %s: %s", source, new WorkerIdUse(processes.snowflakeFiles(source)));
		}
		long drawn = processes.count(Number.IDS);
		this.report.fact("%,d IDs recorded, %,d drawn, %d calls failed", recorded, drawn,
				processes.count(Number.FAILURES));
		this.softly.assertThat(processes.count(Number.DESCENTS))
			.as("calls with an ID that was not larger than all earlier IDs")
			.isZero();
		this.softly.assertThat(recorded).as("IDs recorded").isPositive().isGreaterThanOrEqualTo(IDS * 99 / 100);
	}

	private long check(String name, List<Path> files) throws IOException {
		IdCollector.Result result = IdCollector.check(files);
		this.report.fact("%s: %,d IDs in %d files, %d duplicates, %d descents", name, result.ids(), files.size(),
				result.duplicates(), result.descents());
		this.softly.assertThat(result.examples()).as(name).isEmpty();
		this.softly.assertThat(result.duplicates()).as(name).isZero();
		this.softly.assertThat(result.ids()).as(name).isPositive();
		return result.ids();
	}

	private void clear() throws IOException {
		if (Files.exists(this.directory)) {
			try (Stream<Path> files = Files.walk(this.directory)) {
				for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
					Files.delete(file);
				}
			}
		}
		Files.createDirectories(this.directory);
	}

}
