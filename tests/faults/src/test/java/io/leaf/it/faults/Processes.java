// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.leaf.it.faults.Progress.Number;
import io.leaf.test.server.ControllableServer;
import io.leaf.test.server.Databases;
import io.leaf.test.server.SmallDisk;
import io.leaf.test.server.TcpProxy;
import io.leaf.test.server.ZooKeeperProcess;
import org.awaitility.Awaitility;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Six processes, one database and one ZooKeeper, each server behind a network that can
 * fail. Half of the processes get their worker ID from ZooKeeper, half from the table.
 * One process has its state file on a small disk, and two have clocks that can be
 * changed.
 */
final class Processes implements AutoCloseable {

	/** The shortest valid value. */
	static final Duration LEASE_WINDOW = Duration.ofSeconds(10);

	private static final int SLOTS = 6;

	final ControllableServer database = Databases.startMysql();

	final ZooKeeperProcess zookeeper = ZooKeeperProcess.launch();

	final TcpProxy databaseNetwork;

	final TcpProxy zookeeperNetwork = new TcpProxy("127.0.0.1", this.zookeeper.port());

	final List<DrawingSlot> slots = new ArrayList<>();

	final List<CallerStream> streams = new ArrayList<>();

	/** The disk of slot 3, or {@code null}. */
	final SmallDisk disk;

	/** The clock of slot 4, which changes only the wall clock; or {@code null}. */
	final FakeClock wallClock;

	/** The clock of slot 5, which also changes the monotonic clock; or {@code null}. */
	final FakeClock bothClocks;

	private final Path directory;

	private final List<String> properties;

	/**
	 * Starts the servers, but no process yet.
	 */
	Processes(Path directory, FaultReport report) throws Exception {
		this.directory = directory;
		String url = this.database.createDatabase("faults");
		prepare(new DriverManagerDataSource(url, this.database.username(), this.database.password()));
		this.databaseNetwork = TcpProxy.inFrontOf(url);
		this.properties = List.of("spring.main.banner-mode=off", "leaf.name=faults",
				"spring.datasource.url=" + this.databaseNetwork.through(url),
				"spring.datasource.username=" + this.database.username(),
				"spring.datasource.password=" + this.database.password(), "leaf.segment.max-step=1000",
				"leaf.segment.fail-fast=false", "leaf.snowflake.enabled=true", "leaf.snowflake.host=10.0.0.1",
				"leaf.snowflake.report-interval=1s", "leaf.snowflake.lease-window=" + LEASE_WINDOW.toSeconds() + "s",
				"leaf.snowflake.zookeeper.connect-string=127.0.0.1:" + this.zookeeperNetwork.port(),
				"leaf.snowflake.zookeeper.session-timeout=2s");
		this.disk = mountDisk(report);
		Path library = FakeClock.library(directory).orElse(null);
		if (library == null) {
			String reason = "libfaketime is not installed, or does not work here. " + FakeClock.INSTALL;
			report.missing(FaultKind.WALL_CLOCK_BACK, reason);
			report.missing(FaultKind.WALL_CLOCK_FORWARD, reason);
			report.missing(FaultKind.BOTH_CLOCKS_BACK, reason);
			report.missing(FaultKind.BOTH_CLOCKS_FORWARD, reason);
		}
		this.wallClock = (library != null) ? new FakeClock(library, directory.resolve("wall-clock"), false) : null;
		this.bothClocks = (library != null) ? new FakeClock(library, directory.resolve("both-clocks"), true) : null;
		for (int i = 0; i < SLOTS; i++) {
			addSlot(i);
		}
	}

	private static void prepare(DataSource dataSource) {
		new ResourceDatabasePopulator(new ClassPathResource("io/leaf/segment/jdbc/schema-mysql.sql"))
			.execute(dataSource);
		new JdbcTemplate(dataSource).update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (?, 1, 1000)",
				DrawingApplication.KEY);
	}

	private SmallDisk mountDisk(FaultReport report) {
		try {
			return SmallDisk.mount(this.directory.resolve("small-disk").toAbsolutePath());
		}
		catch (IOException ex) {
			String reason = "the test cannot mount its own disk (unshare -U -r -m): " + ex.getMessage();
			report.missing(FaultKind.DISK_FULL, reason);
			report.missing(FaultKind.DISK_FULL_AT_START, reason);
			return null;
		}
	}

	private void addSlot(int number) throws IOException {
		LeaseSource leases = (number % 2 == 0) ? LeaseSource.ZOOKEEPER : LeaseSource.TABLE;
		boolean onDisk = number == 3 && this.disk != null;
		FakeClock clock = (number == 4) ? this.wallClock : (number == 5) ? this.bothClocks : null;
		Path state = this.directory.resolve(onDisk ? "small-disk" : "state").toAbsolutePath();
		Files.createDirectories(state);
		List<String> all = new ArrayList<>(this.properties);
		all.add("leaf.snowflake.state-dir=" + state);
		DrawingSlot slot = new DrawingSlot(number, leases, this.directory, all, onDisk ? this.disk.enter() : List.of(),
				(clock != null) ? clock.environment() : Map.of());
		this.slots.add(slot);
		for (IdMode mode : IdMode.values()) {
			this.streams.add(new CallerStream(slot, mode));
		}
	}

	/**
	 * Starts the processes, and waits until all of them draw IDs.
	 */
	void start() {
		this.slots.forEach(DrawingSlot::start);
		Awaitility.await()
			.atMost(Duration.ofMinutes(3))
			.until(() -> this.slots.stream().anyMatch((slot) -> !slot.isAlive())
					|| this.streams.stream().allMatch((stream) -> stream.served() > 0));
		for (DrawingSlot slot : this.slots) {
			if (!slot.isAlive()) {
				throw new AssertionError(slot + " does not start:\n" + slot.log());
			}
		}
	}

	/**
	 * Shuts the processes down gracefully.
	 */
	void stop() {
		this.slots.stream().filter(DrawingSlot::isAlive).forEach(DrawingSlot::stop);
	}

	long count(Number number) {
		return this.streams.stream().mapToLong((stream) -> stream.slot().count(stream.mode(), number)).sum();
	}

	List<Path> segmentFiles() {
		return this.slots.stream().flatMap((slot) -> slot.idFiles(IdMode.SEGMENT).stream()).toList();
	}

	List<Path> snowflakeFiles(LeaseSource source) {
		return this.slots.stream()
			.filter((slot) -> slot.leases() == source)
			.flatMap((slot) -> slot.idFiles(IdMode.SNOWFLAKE).stream())
			.toList();
	}

	@Override
	public void close() {
		for (DrawingSlot slot : this.slots) {
			if (slot.isAlive()) {
				slot.kill();
			}
		}
		if (this.disk != null) {
			this.disk.close();
		}
		this.databaseNetwork.close();
		this.zookeeperNetwork.close();
		this.zookeeper.close();
		this.database.close();
	}

}
