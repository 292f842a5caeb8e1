// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaf.it.faults.Progress.Number;
import io.leaf.test.server.ControllableServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.LeafServerProcess;
import io.leaf.test.server.TestScope;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.util.FileSystemUtils;

/**
 * Tests fifty processes that get segments and worker IDs from two Leaf servers on one
 * database, and draw 1,000 batches of IDs per second and mode in total. For two minutes,
 * the servers are killed and frozen in turn. Meanwhile, the database is frozen for 30
 * seconds, and ten of the processes are killed. Runs with {@code -Dleaf.test.full=true}.
 * <p>
 * Each segment lasts for 90 seconds, and each lease for 60 seconds. So no call may fail,
 * because the buffers last longer than any fault.
 */
class ServerClientsIT {

	private static final Logger logger = LoggerFactory.getLogger(ServerClientsIT.class);

	private static final int CLIENTS = 50;

	private static final int KILLED = 10;

	/** How many JVMs start at the same time. */
	private static final int WAVE = 5;

	private static final int STEP = 90_000;

	private static final Duration REPORT_INTERVAL = Duration.ofSeconds(3);

	private static final Duration LEASE_WINDOW = Duration.ofSeconds(60);

	private static final Duration FAULTS = Duration.ofMinutes(2);

	private static final Duration DATABASE_FROZEN = Duration.ofSeconds(30);

	private static final Duration SERVER_FROZEN = Duration.ofSeconds(6);

	private static final Duration SERVER_DOWN = Duration.ofSeconds(2);

	/**
	 * Guarantee 9: an attempt in progress may take 12 s, and leases are then renewed
	 * within two report intervals.
	 */
	private static final Duration RENEWED_WITHIN = Duration.ofSeconds(12).plus(REPORT_INTERVAL.multipliedBy(2));

	private static final String TOKEN = "open sesame";

	private final Path directory = Path.of("target", "server-clients").toAbsolutePath();

	private final List<DrawingSlot> slots = new ArrayList<>();

	private final List<CallerStream> streams = new ArrayList<>();

	private final List<String> report = Collections.synchronizedList(new ArrayList<>());

	private final SoftAssertions softly = new SoftAssertions();

	@Test
	void fiftyClientsOfTwoServersGetNoIdTwiceAndNoCallFailsWhileBuffersLast() throws Exception {
		Assumptions.assumeTrue(TestScope.isFull(), "fifty processes and two minutes of faults");
		FileSystemUtils.deleteRecursively(this.directory);
		Files.createDirectories(this.directory);
		try (ControllableServer database = Databases.startMysql()) {
			List<String> properties = prepare(database);
			try (LeafServerProcess first = LeafServerProcess.launch(properties);
					LeafServerProcess second = LeafServerProcess.launch(properties)) {
				start(List.of(first, second));
				injectFaults(database, first, second);
				this.slots.forEach(DrawingSlot::requireAlive);
				this.slots.forEach(DrawingSlot::stop);
			}
			finally {
				this.slots.stream().filter(DrawingSlot::isAlive).forEach(DrawingSlot::kill);
			}
		}
		check();
		String page = "# Clients of Leaf servers\n\n" + String.join("\n", this.report) + "\n";
		Files.writeString(this.directory.resolve("report.md"), page);
		logger.info("{}", page);
		this.softly.assertAll();
	}

	private List<String> prepare(ControllableServer database) {
		String url = database.createDatabase("clients");
		DriverManagerDataSource dataSource = new DriverManagerDataSource(url, database.username(), database.password());
		new ResourceDatabasePopulator(new ClassPathResource("io/leaf/segment/jdbc/schema-mysql.sql"))
			.execute(dataSource);
		new JdbcTemplate(dataSource).update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (?, 1, ?)",
				DrawingApplication.KEY, STEP);
		this.report.add("- %s, two Leaf servers, %d clients with %d threads each".formatted(database.product(), CLIENTS,
				IdMode.values().length * DrawingApplication.THREADS));
		return List.of("leaf.segment.datasource.url=" + url, "leaf.segment.datasource.username=" + database.username(),
				"leaf.segment.datasource.password=" + database.password(), "leaf.segment.fail-fast=false",
				"leaf.server.clients.shop.token=" + TOKEN);
	}

	private void start(List<LeafServerProcess> servers) {
		List<String> properties = List.of("spring.main.banner-mode=off", "leaf.name=clients",
				"spring.autoconfigure.exclude=" + DataSourceAutoConfiguration.class.getName(),
				"leaf.segment.source=server",
				"leaf.server.urls=" + servers.stream().map(LeafServerProcess::url).collect(Collectors.joining(",")),
				"leaf.server.token=" + TOKEN, "leaf.segment.max-step=" + STEP, "leaf.snowflake.enabled=true",
				"leaf.snowflake.state-dir=" + this.directory.resolve("state"),
				"leaf.snowflake.report-interval=" + REPORT_INTERVAL.toSeconds() + "s",
				"leaf.snowflake.lease-window=" + LEASE_WINDOW.toSeconds() + "s",
				DrawingApplication.INTERVAL + "=100ms");
		for (int i = 0; i < CLIENTS; i++) {
			DrawingSlot slot = new DrawingSlot(i, LeaseSource.SERVERS, this.directory, properties, List.of(), Map.of());
			this.slots.add(slot);
			Stream.of(IdMode.values()).map((mode) -> new CallerStream(slot, mode)).forEach(this.streams::add);
		}
		for (int i = 0; i < CLIENTS; i += WAVE) {
			startAndAwait(this.slots.subList(i, Math.min(i + WAVE, CLIENTS)));
		}
	}

	private void startAndAwait(List<DrawingSlot> starting) {
		List<CallerStream> startingStreams = this.streams.stream()
			.filter((stream) -> starting.contains(stream.slot()))
			.toList();
		starting.forEach(DrawingSlot::start);
		Map<CallerStream, Long> served = startingStreams.stream()
			.collect(Collectors.toMap(Function.identity(), CallerStream::served));
		Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> {
			starting.forEach(DrawingSlot::requireAlive);
			return startingStreams.stream().allMatch((stream) -> stream.served() > served.get(stream));
		});
	}

	private void injectFaults(ControllableServer database, LeafServerProcess first, LeafServerProcess second)
			throws Exception {
		this.streams.forEach(CallerStream::forgetGaps);
		ExecutorService executor = Executors.newCachedThreadPool();
		ServiceWatch watch = new ServiceWatch(this.streams);
		try {
			List<Future<?>> tracks = List.of(executor.submit(() -> killAndFreezeServers(first, second)),
					executor.submit(() -> freeze(database)), executor.submit(this::killClients));
			for (Future<?> track : tracks) {
				track.get();
			}
		}
		finally {
			executor.shutdownNow();
			watch.close();
		}
		long gap = this.streams.stream()
			.skip(KILLED * IdMode.values().length)
			.mapToLong((stream) -> stream.longestGap().toMillis())
			.max()
			.orElseThrow();
		this.report.add("- longest time between two batches of a client that was not killed: %d ms".formatted(gap));
	}

	private void killAndFreezeServers(LeafServerProcess first, LeafServerProcess second) {
		long begin = System.nanoTime();
		LeafServerProcess killed = first;
		LeafServerProcess frozen = second;
		int rounds = 0;
		while (System.nanoTime() - begin < FAULTS.toNanos()) {
			killed.kill();
			FaultRunner.hold(SERVER_DOWN);
			killed.start();
			frozen.pause();
			FaultRunner.hold(SERVER_FROZEN);
			frozen.resume();
			LeafServerProcess next = killed;
			killed = frozen;
			frozen = next;
			rounds++;
		}
		this.report.add("- %d times in %d s one server was killed and restarted, and the other one frozen for %d s"
			.formatted(rounds, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin), SERVER_FROZEN.toSeconds()));
	}

	private void freeze(ControllableServer database) {
		FaultRunner.hold(FAULTS.dividedBy(4));
		database.pause();
		FaultRunner.hold(DATABASE_FROZEN);
		Map<CallerStream, Long> horizons = this.streams.stream()
			.filter((stream) -> stream.mode() == IdMode.SNOWFLAKE)
			.collect(Collectors.toMap(Function.identity(), CallerStream::confirmed));
		database.resume();
		long begin = System.nanoTime();
		Awaitility.await("all leases are renewed after the database is back")
			.atMost(RENEWED_WITHIN)
			.until(() -> horizons.entrySet().stream().allMatch((each) -> each.getKey().confirmed() > each.getValue()));
		this.report.add("- the database was frozen for %d s; all leases were renewed %d ms after it was back"
			.formatted(DATABASE_FROZEN.toSeconds(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)));
	}

	private void killClients() {
		FaultRunner.hold(FAULTS.multipliedBy(2).dividedBy(3));
		List<DrawingSlot> killed = this.slots.subList(0, KILLED);
		killed.forEach(DrawingSlot::kill);
		for (int i = 0; i < KILLED; i += WAVE) {
			startAndAwait(killed.subList(i, i + WAVE));
		}
		this.report.add("- %d clients were killed and restarted".formatted(KILLED));
	}

	private void check() throws IOException {
		check("segment", this.slots.stream().flatMap((slot) -> slot.idFiles(IdMode.SEGMENT).stream()).toList());
		List<Path> snowflake = this.slots.stream().flatMap((slot) -> slot.idFiles(IdMode.SNOWFLAKE).stream()).toList();
		check("snowflake", snowflake);
		WorkerIdUse workerIds = new WorkerIdUse(snowflake);
		this.report.add("- " + workerIds);
		this.softly.assertThat(workerIds.size())
			.as("worker IDs: the worker ID of a killed process stays reserved, and the next process gets another one")
			.isEqualTo(CLIENTS + KILLED);
		this.softly.assertThat(count(Number.FAILURES)).as("calls that failed").isZero();
		this.softly.assertThat(count(Number.DESCENTS))
			.as("calls with an ID that was not larger than all earlier IDs")
			.isZero();
		long changes = this.slots.stream().filter((slot) -> slot.log().contains("Using the Leaf server")).count();
		this.softly.assertThat(changes).as("clients that changed servers").isPositive();
		this.report.add("- %,d IDs drawn, %d calls failed; %d clients have changed servers".formatted(count(Number.IDS),
				count(Number.FAILURES), changes));
	}

	private void check(String name, List<Path> files) throws IOException {
		IdCollector.Result result = IdCollector.check(files);
		this.report.add("- %s: %,d IDs in %d files, %d duplicates, %d descents".formatted(name, result.ids(),
				files.size(), result.duplicates(), result.descents()));
		this.softly.assertThat(result.examples()).as(name).isEmpty();
		this.softly.assertThat(result.duplicates()).as(name).isZero();
		this.softly.assertThat(result.ids()).as(name).isPositive();
	}

	private long count(Number number) {
		return this.streams.stream().mapToLong((stream) -> stream.slot().count(stream.mode(), number)).sum();
	}

}
