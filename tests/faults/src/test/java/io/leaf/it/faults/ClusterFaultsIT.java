// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaf.it.faults.Progress.Number;
import io.leaf.test.server.DatabaseCluster;
import io.leaf.test.server.LocalServer;
import io.leaf.test.server.TestScope;
import io.leaf.test.server.Topology;
import io.leaf.test.server.ZooKeeperProcess;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Tests processes that draw IDs of both modes while a replicated database fails over.
 * Half of them get their worker ID from the database, half from a ZooKeeper ensemble.
 * With {@code -Dleaf.test.full=true}, a short form runs, with one fault on some of the
 * topologies. With {@code -Dleaf.clusters.ids=100000000}, all faults are injected on all
 * topologies, repeatedly, until that many IDs have been drawn; this needs root.
 */
class ClusterFaultsIT {

	private static final Logger logger = LoggerFactory.getLogger(ClusterFaultsIT.class);

	private static final long IDS = Long.getLong("leaf.clusters.ids", 0);

	private static final boolean LONG = IDS > 0;

	private static final int PROCESSES = LONG ? 6 : 3;

	private static final Set<Topology> TOPOLOGIES = topologies();

	private static final Duration BACK_WITHIN = Duration.ofSeconds(90);

	private static final Path DIRECTORY = Path.of("target", "cluster-faults").toAbsolutePath();

	private static final List<String> REPORT = new ArrayList<>();

	private static List<ZooKeeperProcess> ensemble = List.of();

	private final SoftAssertions softly = new SoftAssertions();

	@BeforeAll
	static void startEnsemble() {
		Assumptions.assumeTrue(TestScope.isFull() || LONG, "starts many processes");
		if (!Topology.isInstalled()) {
			TestScope.notRun("ClusterFaultsIT", Topology.INSTALL);
			Assumptions.abort("the servers are not installed");
		}
		REPORT.add("| topology | fault | no writes, s | plain clients without a commit, median and longest, s"
				+ " | no new segments, median and longest, s | no IDs, longest, s | no new horizon, longest, s |"
				+ "\n|---|---|---|---|---|---|---|");
		ensemble = ZooKeeperProcess.launchEnsemble(3);
	}

	private static Set<Topology> topologies() {
		String names = System.getProperty("leaf.clusters.topologies");
		if (names != null) {
			return Stream.of(names.split(",")).map(Topology::valueOf).collect(Collectors.toSet());
		}
		return LONG ? EnumSet.allOf(Topology.class)
				: EnumSet.of(Topology.MYSQL_GROUP, Topology.GALERA, Topology.POSTGRESQL_SYNCHRONOUS);
	}

	@AfterAll
	static void report() throws IOException {
		ensemble.forEach(ZooKeeperProcess::close);
		if (!REPORT.isEmpty()) {
			String page = String.join("\n", REPORT);
			Files.writeString(DIRECTORY.resolve("report.md"), page);
			logger.info("{}", page);
		}
	}

	@ParameterizedTest
	@EnumSource
	void noIdIsIssuedTwiceAndEveryProcessFindsTheNewPrimary(Topology topology) throws Exception {
		Assumptions.assumeTrue(TOPOLOGIES.contains(topology), "not part of this run");
		run(topology, "", faults(topology), !topology.keepsCommits());
	}

	@ParameterizedTest
	@EnumSource
	void noIdIsIssuedTwiceAfterCommitsWereLostIfTheCountersAreRaised(Topology topology) throws Exception {
		assumeCommitsAreLost(topology);
		run(topology, "-raised", List.of(ClusterFault.LAGGING_REPLICA_PROMOTED_AND_COUNTERS_RAISED), false);
	}

	@ParameterizedTest
	@EnumSource
	void noIdIsIssuedTwiceAfterCommitsWereLostIfTheProcessesRaiseTheCounters(Topology topology) throws Exception {
		assumeCommitsAreLost(topology);
		run(topology, "-gap", faults(topology), false, "leaf.segment.failover-gap=1000000");
	}

	private static void assumeCommitsAreLost(Topology topology) {
		Assumptions.assumeTrue(LONG && TOPOLOGIES.contains(topology) && !topology.keepsCommits(),
				"part of the long form, for asynchronous replication");
	}

	private void run(Topology topology, String variant, List<ClusterFault> faults, boolean duplicates,
			String... properties) throws Exception {
		Path directory = DIRECTORY.resolve(topology + variant);
		clear(directory);
		try (DatabaseCluster cluster = topology.start()) {
			run(topology, cluster, directory, faults, duplicates, properties);
		}
		this.softly.assertAll();
	}

	private void run(Topology topology, DatabaseCluster cluster, Path directory, List<ClusterFault> faults,
			boolean duplicates, String... properties) throws Exception {
		String database = cluster.createDatabase("clusters");
		DriverManagerDataSource dataSource = new DriverManagerDataSource(cluster.jdbcUrl(database, 0),
				cluster.username(), cluster.password());
		prepare(topology, dataSource);
		List<DrawingSlot> slots = slots(cluster, database, directory, properties);
		List<CallerStream> streams = slots.stream()
			.flatMap((slot) -> Stream.of(IdMode.values()).map((mode) -> new CallerStream(slot, mode)))
			.toList();
		try (WriteProbe probe = new WriteProbe(cluster, database, LONG ? PROCESSES : 0)) {
			slots.forEach(DrawingSlot::start);
			await("all processes draw IDs", () -> {
				slots.forEach(DrawingSlot::requireAlive);
				return streams.stream().allMatch((stream) -> stream.served() > 0 && stream.confirmed() > 0);
			});
			ServiceWatch watch = new ServiceWatch(streams);
			try {
				do {
					for (ClusterFault fault : faults) {
						fault.prepare(cluster, database);
						recover(streams, probe);
						inject(fault, cluster, streams, probe);
					}
				}
				while (slots.stream().mapToLong((slot) -> drawn(slot)).sum() < IDS / TOPOLOGIES.size());
			}
			finally {
				watch.close();
			}
			slots.forEach(DrawingSlot::stop);
			check(cluster, slots, dataSource, duplicates);
		}
		finally {
			slots.stream().filter(DrawingSlot::isAlive).forEach(DrawingSlot::kill);
		}
	}

	private static List<ClusterFault> faults(Topology topology) {
		return LONG ? Stream.of(ClusterFault.values()).filter((fault) -> fault.appliesTo(topology)).toList()
				: List.of(ClusterFault.PRIMARY_KILLED);
	}

	private static void prepare(Topology topology, DriverManagerDataSource dataSource) {
		new ResourceDatabasePopulator(new ClassPathResource("io/leaf/segment/jdbc/" + topology.schema()))
			.execute(dataSource);
		new JdbcTemplate(dataSource).update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (?, 1, 1000)",
				DrawingApplication.KEY);
	}

	private static List<DrawingSlot> slots(DatabaseCluster cluster, String database, Path directory,
			String... properties) throws IOException {
		Path state = Files.createDirectories(directory.resolve("state"));
		List<String> common = List.of("spring.main.banner-mode=off", "leaf.name=clusters",
				"spring.datasource.username=" + cluster.username(), "spring.datasource.password=" + cluster.password(),
				"leaf.segment.max-step=1000", "leaf.snowflake.enabled=true", "leaf.snowflake.host=10.0.0.1",
				"leaf.snowflake.report-interval=1s", "leaf.snowflake.state-dir=" + state,
				"leaf.snowflake.zookeeper.connect-string="
						+ ensemble.stream().map(ZooKeeperProcess::connectString).collect(Collectors.joining(",")));
		List<DrawingSlot> slots = new ArrayList<>();
		for (int i = 0; i < PROCESSES; i++) {
			List<String> all = new ArrayList<>(common);
			all.addAll(List.of(properties));
			all.add("spring.datasource.url=" + cluster.jdbcUrl(database, i));
			slots.add(new DrawingSlot(i, LeaseSource.values()[i % 2], directory, all, List.of(), Map.of()));
		}
		return slots;
	}

	private static void inject(ClusterFault fault, DatabaseCluster cluster, List<CallerStream> streams,
			WriteProbe probe) throws Exception {
		measure(fault.toString(), cluster, streams, probe, () -> fault.inject(cluster, () -> recover(streams, probe)));
		List<? extends LocalServer> killed = cluster.members().stream().filter((each) -> !each.isRunning()).toList();
		if (!killed.isEmpty()) {
			measure("the killed server returns", cluster, streams, probe, () -> killed.forEach(cluster::rejoin));
		}
	}

	private static void measure(String event, DatabaseCluster cluster, List<CallerStream> streams, WriteProbe probe,
			Step step) throws Exception {
		logger.info("{}: {}", cluster, event);
		streams.forEach(CallerStream::forgetGaps);
		probe.forgetGaps();
		try {
			step.run();
			recover(streams, probe);
		}
		catch (Exception | AssertionError ex) {
			logger.error("{}: {}", cluster, event, ex);
			throw ex;
		}
		List<CallerStream> segments = streams.stream().filter((stream) -> stream.mode() == IdMode.SEGMENT).toList();
		List<Duration> gaps = segments.stream().map(CallerStream::longestStoreGap).sorted().toList();
		String row = "| %s | %s | %s | %s | %s | %s | %s |".formatted(cluster, event, seconds(probe.longestGap()),
				medianAndLongest(probe.clientGaps()), medianAndLongest(gaps),
				seconds(longest(segments.stream().map(CallerStream::longestGap))),
				seconds(longest(streams.stream()
					.filter((stream) -> stream.mode() == IdMode.SNOWFLAKE && stream.needsDatabase())
					.map(CallerStream::longestStoreGap))));
		logger.info("{}", row);
		REPORT.add(row);
	}

	/**
	 * Waits until the cluster accepts writes, and all callers have got something new from
	 * their stores.
	 */
	private static void recover(List<CallerStream> streams, WriteProbe probe) {
		long begin = System.nanoTime();
		List<Long> before = streams.stream().map(CallerStream::confirmed).toList();
		await("all processes have got something new from their stores", () -> {
			streams.forEach((stream) -> stream.slot().requireAlive());
			return probe.lastWrite() - begin > 0
					&& streams.stream().allMatch((stream) -> stream.confirmed() != before.get(streams.indexOf(stream)));
		});
	}

	private static String medianAndLongest(List<Duration> ascending) {
		return ascending.isEmpty() ? "–" : seconds(ascending.get((ascending.size() - 1) / 2)) + ", "
				+ seconds(ascending.get(ascending.size() - 1));
	}

	private static Duration longest(Stream<Duration> durations) {
		return durations.max(Comparator.naturalOrder()).orElse(Duration.ZERO);
	}

	private static String seconds(Duration duration) {
		return "%.1f".formatted(duration.toMillis() / 1000.0);
	}

	private void check(DatabaseCluster cluster, List<DrawingSlot> slots, DriverManagerDataSource dataSource,
			boolean duplicates) throws IOException {
		IdCollector.Result segment = check("segment", slots, IdMode.SEGMENT, null);
		long allocated = new JdbcTemplate(dataSource).queryForObject("SELECT max_id FROM leaf_alloc WHERE biz_tag = ?",
				Long.class, DrawingApplication.KEY) - 1;
		IdCollector.Result table = check("snowflake, worker IDs of the table", slots, IdMode.SNOWFLAKE,
				LeaseSource.TABLE);
		IdCollector.Result zookeeper = check("snowflake, worker IDs of ZooKeeper", slots, IdMode.SNOWFLAKE,
				LeaseSource.ZOOKEEPER);
		long failures = slots.stream().mapToLong((slot) -> count(slot, Number.FAILURES)).sum();
		REPORT.add(
				"| %s | all faults | duplicates: segments %d of %,d, snowflake %d of %,d and %d of %,d | %,d numbers lost | %,d calls failed | | |"
					.formatted(cluster, segment.duplicates(), segment.ids(), table.duplicates(), table.ids(),
							zookeeper.duplicates(), zookeeper.ids(), allocated - segment.ids() + segment.duplicates(),
							failures));
		this.softly.assertThat(slots.stream().mapToLong((slot) -> count(slot, Number.DESCENTS)).sum())
			.as("calls with an ID that was not larger than all earlier IDs")
			.isZero();
		if (!duplicates) {
			Stream.of(segment, table).forEach((result) -> {
				this.softly.assertThat(result.duplicates()).as("%s", result.examples()).isZero();
				this.softly.assertThat(result.ids()).isPositive();
			});
		}
		else {
			// the new primary does not know which numbers a process has issued
			this.softly.assertThat(segment.duplicates()).as("duplicates after commits were lost").isPositive();
		}
		this.softly.assertThat(zookeeper.duplicates()).as("%s", zookeeper.examples()).isZero();
		this.softly.assertThat(zookeeper.ids()).isPositive();
	}

	private static IdCollector.Result check(String name, List<DrawingSlot> slots, IdMode mode, LeaseSource source)
			throws IOException {
		IdCollector.Result result = IdCollector.check(slots.stream()
			.filter((slot) -> source == null || slot.leases() == source)
			.flatMap((slot) -> slot.idFiles(mode).stream())
			.toList());
		logger.info("{}: {}", name, result);
		return result;
	}

	private static long drawn(DrawingSlot slot) {
		return count(slot, Number.IDS);
	}

	private static long count(DrawingSlot slot, Number number) {
		return Stream.of(IdMode.values()).mapToLong((mode) -> slot.count(mode, number)).sum();
	}

	private static void await(String what, Callable<Boolean> condition) {
		Awaitility.await(what)
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(20))
			.atMost(BACK_WITHIN)
			.until(condition);
	}

	private static void clear(Path directory) throws IOException {
		if (Files.exists(directory)) {
			try (Stream<Path> files = Files.walk(directory)) {
				for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
					Files.delete(file);
				}
			}
		}
		Files.createDirectories(directory);
	}

	/**
	 * An action that injects or ends a fault, or waits.
	 */
	interface Step {

		void run() throws Exception;

	}

}
