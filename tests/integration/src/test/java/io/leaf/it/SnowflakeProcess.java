// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.leaf.snowflake.GeneratorClock;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.snowflake.SnowflakeLanes;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.SnowflakeSettings;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.snowflake.lease.LeaseSettings;
import io.leaf.snowflake.lease.file.FileSavedLeaseStore;
import io.leaf.snowflake.lease.file.Machine;
import io.leaf.snowflake.lease.zookeeper.ZooKeeperSettings;
import io.leaf.snowflake.lease.zookeeper.ZooKeeperWorkerLeaseStore;

/**
 * A process that draws snowflake IDs with several threads until it is killed. Each ID is
 * stored in memory mapped from a file before the next is drawn, so that it outlives the
 * process.
 */
final class SnowflakeProcess {

	static final int THREADS = 8;

	/**
	 * How many IDs a thread draws before it pauses for a millisecond, to limit the size
	 * of the files.
	 */
	private static final int BURST = 16;

	private static final int MAX_IDS = 1 << 20;

	private static final String APPLICATION = "orders";

	final Process process;

	private final Path directory;

	private final String name;

	private SnowflakeProcess(Process process, Path directory, String name) {
		this.process = process;
		this.directory = directory;
		this.name = name;
	}

	/**
	 * Starts a process.
	 * @param directory the directory of its files
	 * @param name the name of its files
	 * @param port the port of its label
	 * @param zookeeper the connect string
	 */
	static SnowflakeProcess start(Path directory, String name, int port, String zookeeper) throws IOException {
		List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				SnowflakeProcess.class.getName(), directory.toString(), name, String.valueOf(port), zookeeper);
		Process process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(directory.resolve(name + ".log").toFile())
			.start();
		return new SnowflakeProcess(process, directory, name);
	}

	/**
	 * Returns whether the file of each thread exists. It is created just before the
	 * thread starts to draw IDs.
	 */
	boolean hasBegun() {
		return IntStream.range(0, THREADS).allMatch((thread) -> Files.exists(file(thread)));
	}

	String log() throws IOException {
		return Files.readString(this.directory.resolve(this.name + ".log"));
	}

	private Path file(int thread) {
		return this.directory.resolve(this.name + "-" + thread);
	}

	/**
	 * Returns the IDs that each thread has drawn, and deletes the files.
	 */
	List<long[]> takeIds() throws IOException {
		List<long[]> all = new ArrayList<>();
		for (int thread = 0; thread < THREADS; thread++) {
			if (!Files.exists(file(thread))) {
				continue;
			}
			LongBuffer ids = ByteBuffer.wrap(Files.readAllBytes(file(thread))).asLongBuffer();
			int count = 0;
			while (count < ids.capacity() && ids.get(count) != 0) {
				count++;
			}
			long[] drawn = new long[count];
			ids.get(0, drawn);
			all.add(drawn);
			Files.delete(file(thread));
		}
		return all;
	}

	public static void main(String[] args) throws Exception {
		Path directory = Path.of(args[0]);
		SnowflakeSettings settings = new SnowflakeSettings(SnowflakeLayout.LEAF, Duration.ofMillis(100), 1,
				Duration.ofSeconds(2));
		SnowflakeLanes lanes = new SnowflakeLanes(settings,
				new GeneratorClock(InstantSource.system(), System::nanoTime, Duration.ofSeconds(10)));
		String host = "10.0.0.1";
		ZooKeeperSettings zookeeper = new ZooKeeperSettings(args[3], null, Duration.ofSeconds(6),
				Duration.ofSeconds(10));
		LeaseKeeper keeper = new LeaseKeeper(
				ZooKeeperWorkerLeaseStore.connectingTo(zookeeper, APPLICATION, host, args[2]),
				new FileSavedLeaseStore(directory.resolve("state"), APPLICATION, args[2], Machine.local(host)), lanes,
				new LeaseSettings(APPLICATION, host + ":" + args[2], Duration.ofSeconds(3), Duration.ofHours(1),
						Duration.ofSeconds(10)));
		keeper.start();
		SnowflakeIdGenerator generator = new SnowflakeIdGenerator(lanes);
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			LongBuffer ids = map(directory.resolve(args[1] + "-" + i));
			Thread thread = new Thread(() -> draw(generator, ids));
			thread.start();
			threads.add(thread);
		}
		for (Thread thread : threads) {
			thread.join();
		}
	}

	private static LongBuffer map(Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE)) {
			return channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) MAX_IDS * Long.BYTES).asLongBuffer();
		}
	}

	private static void draw(SnowflakeIdGenerator generator, LongBuffer ids) {
		for (int i = 0; i < MAX_IDS; i++) {
			ids.put(i, generator.nextId("order"));
			if (i % BURST == 0) {
				LockSupport.parkNanos(1_000_000);
			}
		}
	}

}
