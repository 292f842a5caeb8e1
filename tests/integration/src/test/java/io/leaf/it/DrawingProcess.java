// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.leaf.IdGenerator;
import io.leaf.IdSequence;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * A process that starts an application, draws IDs of the key {@code order} with several
 * threads, writes the IDs of each thread to a file, and shuts down gracefully.
 */
final class DrawingProcess {

	private final Process process;

	private final List<Path> files;

	private final Path log;

	private DrawingProcess(Process process, List<Path> files, Path log) {
		this.process = process;
		this.log = log;
		this.files = files;
	}

	/**
	 * Starts a process.
	 * @param how how its threads draw IDs
	 * @param properties the properties of the application, including those of the
	 * database
	 */
	static DrawingProcess start(Path directory, String name, How how, int threads, int idsEach, String... properties)
			throws IOException {
		List<Path> files = IntStream.range(0, threads)
			.mapToObj((thread) -> directory.resolve(name + "-" + thread))
			.toList();
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"-XX:+UseSerialGC", "-cp", classPath(), DrawingProcess.class.getName(), String.valueOf(idsEach),
						directory.resolve(name).toString(), String.valueOf(threads), how.name()));
		command.addAll(Arrays.asList(properties));
		Path log = directory.resolve(name + ".log");
		return new DrawingProcess(
				new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(), files, log);
	}

	private static String classPath() {
		// the classpath of the test runner is a JAR file that refers to the real
		// classpath
		return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
	}

	/**
	 * Waits until the process has ended.
	 * @return the files that it has written
	 */
	List<Path> await() throws InterruptedException {
		int exit = this.process.waitFor();
		if (exit != 0) {
			throw new AssertionError("A drawing process ended with exit code " + exit + ". See its log: " + this.log);
		}
		return this.files;
	}

	public static void main(String[] args) throws Exception {
		int idsEach = Integer.parseInt(args[0]);
		int threads = Integer.parseInt(args[2]);
		try (ConfigurableApplicationContext context = LeafApplication.start(Arrays.copyOfRange(args, 4, args.length),
				"leaf.segment.initialize-schema=never", "leaf.segment.acquire-timeout=30s")) {
			IdSequence sequence = context.getBean(IdGenerator.class).sequence("order");
			List<Callable<Void>> work = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				Path file = Path.of(args[1] + "-" + i);
				work.add(() -> {
					How.valueOf(args[3]).draw(sequence, idsEach, file);
					return null;
				});
			}
			ExecutorService executor = Executors.newFixedThreadPool(threads);
			for (Future<Void> result : executor.invokeAll(work)) {
				result.get();
			}
			executor.shutdown();
		}
	}

	/**
	 * How a thread draws IDs.
	 */
	enum How {

		/**
		 * One by one and in batches. The file contains the IDs.
		 */
		SINGLY_AND_IN_BATCHES {
			@Override
			void draw(IdSequence sequence, int count, Path file) throws IOException {
				try (DataOutputStream out = IdFiles.write(file)) {
					for (int i = 0; i < count;) {
						if (i % 1000 == 0 && count - i >= 100) {
							for (long id : sequence.nextIds(100)) {
								out.writeLong(id);
							}
							i += 100;
						}
						else {
							out.writeLong(sequence.nextId());
							i++;
						}
					}
				}
			}
		},

		/**
		 * One by one. For each call, the file contains its start time, its ID and its end
		 * time, according to the monotonic clock of the machine.
		 */
		TIMED {
			@Override
			void draw(IdSequence sequence, int count, Path file) throws IOException {
				try (DataOutputStream out = IdFiles.write(file)) {
					for (int i = 0; i < count; i++) {
						long begin = System.nanoTime();
						long id = sequence.nextId();
						long end = System.nanoTime();
						out.writeLong(begin);
						out.writeLong(id);
						out.writeLong(end);
					}
				}
			}
		};

		abstract void draw(IdSequence sequence, int count, Path file) throws IOException;

	}

}
