// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.UnknownKeyException;
import io.leaf.segment.Ordering;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentSettings;
import io.leaf.segment.SegmentStatus;
import io.leaf.segment.TestSettings;
import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLane;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeLayout.Unit;
import io.leaf.snowflake.SnowflakeSettings;
import io.leaf.test.server.InstalledJdk;
import jdk.jfr.consumer.RecordedEvent;
import org.awaitility.Awaitility;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A process in which 10,000 virtual threads at a time draw IDs and wait for them, and
 * which records which of them are pinned. It needs a JDK with virtual threads.
 */
final class VirtualThreadsProcess {

	static final int THREADS = 10_000;

	/**
	 * A layout with 256,000 IDs per second: few enough for the threads to reach the
	 * maximum lead.
	 */
	private static final SnowflakeLayout LAYOUT = new SnowflakeLayout(41, 10, 8, Unit.MILLISECONDS,
			SnowflakeLayout.LEAF.epoch());

	private static final String CREATE_TABLES = ";INIT=RUNSCRIPT FROM 'classpath:io/leaf/segment/jdbc/schema-h2.sql'";

	private static final Duration LIMIT = Duration.ofSeconds(30);

	private VirtualThreadsProcess() {
	}

	/**
	 * Runs the process, and waits until it has ended.
	 * @param jdk the JDK that runs it
	 * @param directory the directory of its files
	 * @return the results that {@link #main} has written
	 */
	static Properties run(InstalledJdk jdk, Path directory) throws IOException, InterruptedException {
		Path log = directory.resolve("process.log");
		Path results = directory.resolve("results");
		Process process = new ProcessBuilder(jdk.java().toString(), "-Xmx512m", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				VirtualThreadsProcess.class.getName(), directory.toString(), results.toString())
			.redirectErrorStream(true)
			.redirectOutput(log.toFile())
			.start();
		try {
			if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
				throw new AssertionError("The process with virtual threads failed:\n" + Files.readString(log));
			}
		}
		finally {
			process.destroyForcibly();
		}
		Properties properties = new Properties();
		try (Reader reader = Files.newBufferedReader(results)) {
			properties.load(reader);
		}
		return properties;
	}

	/**
	 * Draws IDs, and writes the results: the number of IDs of each kind, how many calls
	 * had to wait for a segment, whether the maximum lead was reached, where threads were
	 * pinned inside the library, and how often a thread was pinned on purpose.
	 */
	public static void main(String[] args) throws Exception {
		Path directory = Path.of(args[0]);
		Properties results = new Properties();
		// The first threads load the classes, and the JVM pins a thread that waits until
		// another thread has loaded a class.
		fromSegments(Ordering.STRICT, 100, results);
		fromSegments(Ordering.STRIPED, 100, results);
		fromSnowflake(100, results);
		try (PinnedThreads pinned = new PinnedThreads()) {
			fromSegments(Ordering.STRICT, THREADS, results);
			fromSegments(Ordering.STRIPED, THREADS, results);
			fromSnowflake(THREADS, results);
			inAnApplication(results);
			List<RecordedEvent> events = pinned.insideTheLibrary(directory.resolve("pinned.jfr"));
			results.setProperty("pinned", events.isEmpty() ? "none" : events.toString());
		}
		try (PinnedThreads pinned = new PinnedThreads()) {
			pinOnPurpose();
			results.setProperty("pinned-on-purpose",
					String.valueOf(pinned.insideTheLibrary(directory.resolve("on-purpose.jfr")).size()));
		}
		try (OutputStream out = Files.newOutputStream(Path.of(args[1]))) {
			results.store(out, null);
		}
	}

	/**
	 * Draws IDs from segments. Segments are used up faster than they arrive. Some keys
	 * get a row only after the start, and some keys have no row.
	 */
	private static void fromSegments(Ordering ordering, int count, Properties results) throws Exception {
		DistantSegmentStore store = new DistantSegmentStore();
		for (int i = 0; i < 10; i++) {
			store.put("key" + i, 100);
		}
		SegmentSettings settings = TestSettings.DEFAULTS.toBuilder()
			.maxStep(100)
			.acquireTimeout(Duration.ofMinutes(1))
			.refreshInterval(Duration.ofMinutes(1))
			.ordering(ordering)
			.build();
		VirtualThreads threads = new VirtualThreads();
		try (SegmentIdGenerator generator = new SegmentIdGenerator(store, settings)) {
			generator.start();
			for (int i = 0; i < 20; i++) {
				store.put("late" + i, 100);
			}
			threads.start(count, (number) -> {
				String key = (number % 10 == 0) ? "late" + number / 10 % 20 : "key" + number % 10;
				IdSequence sequence = generator.sequence(key);
				threads.drew(key, sequence.nextId(), generator.nextId(key));
				threads.drew(key, sequence.nextIds(8));
				if (number % 100 == 1) {
					expectUnknown(generator, "unknown" + number / 100 % 50);
				}
			});
			results.setProperty(ordering.name(), String.valueOf(threads.end()));
			results.setProperty(ordering + "-waits",
					String.valueOf(generator.status().values().stream().mapToLong(SegmentStatus::waits).sum()));
		}
	}

	private static void expectUnknown(IdGenerator generator, String key) {
		try {
			throw new IllegalStateException("%d was issued for a key without a row".formatted(generator.nextId(key)));
		}
		catch (UnknownKeyException ex) {
			// as expected
		}
	}

	/**
	 * Draws snowflake IDs. At first there is no lease, then a short one that is used up,
	 * and then a long one, from which the threads request more IDs than the clock allows.
	 */
	private static void fromSnowflake(int count, Properties results) throws Exception {
		SnowflakeLanes lanes = lanes(new GeneratorClock(InstantSource.system(), System::nanoTime, Duration.ZERO));
		SnowflakeIdGenerator generator = new SnowflakeIdGenerator(lanes);
		VirtualThreads threads = new VirtualThreads();
		threads.start(count, (number) -> {
			IdSequence sequence = generator.sequence("order");
			for (int i = 0; i < 20; i++) {
				threads.drew("snowflake", sequence.nextId());
			}
			threads.drew("snowflake", generator.nextIds("order", 20));
		});
		Awaitility.await().atMost(LIMIT).until(threads::areStuck);
		long horizon = Instant.now().plusMillis(5).toEpochMilli();
		SnowflakeLane lane = lanes.add(1, 0, horizon);
		Awaitility.await().atMost(LIMIT).until(() -> Instant.now().toEpochMilli() > horizon && threads.areStuck());
		lane.extend(Instant.now().plusSeconds(3600).toEpochMilli());
		lanes.wakeUp();
		results.setProperty("snowflake", String.valueOf(threads.end()));
		results.setProperty("snowflake-lead", String.valueOf(lanes.takeDemand()));
	}

	private static SnowflakeLanes lanes(GeneratorClock clock) {
		return new SnowflakeLanes(new SnowflakeSettings(LAYOUT, Duration.ofMillis(100), 1, Duration.ofMinutes(1)),
				clock);
	}

	/**
	 * All threads request IDs at the same time, for a key that has no row when the
	 * application starts.
	 */
	private static void inAnApplication(Properties results) throws Exception {
		VirtualThreads threads = new VirtualThreads();
		String url = "jdbc:h2:mem:virtual";
		try (Connection database = DriverManager.getConnection(url + CREATE_TABLES, "SA", "");
				ConfigurableApplicationContext context = LeafApplication.start(
						new String[] { "spring.datasource.url=" + url }, "leaf.segment.initialize-schema=never",
						"leaf.segment.acquire-timeout=1m")) {
			try (Statement statement = database.createStatement()) {
				statement.execute("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES ('order', 1, 1000)");
			}
			IdGenerator generator = context.getBean(IdGenerator.class);
			threads.start(THREADS, (number) -> threads.drew("order", generator.nextIds("order", 10)));
			results.setProperty("application", String.valueOf(threads.end()));
		}
	}

	/**
	 * Pins a thread, to show that the recording detects it: the clock parks in a class
	 * initializer, below the frames of the library.
	 */
	private static void pinOnPurpose() throws Exception {
		AtomicReference<LongSupplier> nanoTime = new AtomicReference<>(System::nanoTime);
		SnowflakeLanes lanes = lanes(
				new GeneratorClock(InstantSource.system(), () -> nanoTime.get().getAsLong(), Duration.ZERO));
		lanes.add(1, 0, Instant.now().plusSeconds(3600).toEpochMilli());
		nanoTime.set(Pin::nanoTime);
		VirtualThreads threads = new VirtualThreads();
		threads.start(1, (number) -> threads.drew("pinned", new SnowflakeIdGenerator(lanes).nextId("order")));
		threads.end();
	}

	private static final class Pin {

		static {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
		}

		static long nanoTime() {
			return System.nanoTime();
		}

	}

}
