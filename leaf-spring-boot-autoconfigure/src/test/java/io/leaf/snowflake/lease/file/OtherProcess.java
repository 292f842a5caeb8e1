// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.TestLeases;
import org.slf4j.LoggerFactory;

/**
 * A separate Java process that has claimed worker ID 5 in the file store, and holds it
 * until it is killed.
 */
final class OtherProcess implements AutoCloseable {

	static final Lease LEASE = TestLeases.lease("other", 1_795_000_060_000L, "10.0.0.1:8080", 1_795_000_000_000L,
			1_795_000_000_000L);

	private final Process process;

	private final String answer;

	private OtherProcess(Process process, String answer) {
		this.process = process;
		this.answer = answer;
	}

	public static void main(String[] args) throws IOException {
		FileWorkerLeaseStore store = new FileWorkerLeaseStore(Path.of(args[0]), "orders", 5,
				new Machine("web-1", "10.0.0.1", "boot-1"));
		try {
			store.open(SnowflakeLayout.LEAF);
			store.write(5,
					store.newWorkerId(Set.of()).isPresent() ? FileWorkerLeaseStore.ABSENT : store.read(5).version(),
					LEASE);
			System.out.println("holds it");
		}
		catch (IdGenerationException ex) {
			System.out.println(ex.getMessage());
		}
		System.in.read();
	}

	static OtherProcess start(Path stateDir) throws IOException {
		String classPath = classPath().stream()
			.map(OtherProcess::path)
			.collect(Collectors.joining(System.getProperty("path.separator")));
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xint", "-XX:+UseSerialGC", "-cp", classPath, OtherProcess.class.getName(), stateDir.toString())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
		return new OtherProcess(process, String.valueOf(output.readLine()));
	}

	/**
	 * Returns the location of this class and of the classes that the file store needs.
	 */
	static List<URL> classPath() {
		return Stream.of(OtherProcess.class, LockedFile.class, LoggerFactory.class)
			.map((type) -> type.getProtectionDomain().getCodeSource().getLocation())
			.toList();
	}

	private static String path(URL url) {
		try {
			return Path.of(url.toURI()).toString();
		}
		catch (URISyntaxException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

	/**
	 * Returns {@code holds it}, or the reason for a failure.
	 */
	String answer() {
		return this.answer;
	}

	/**
	 * Kills the process, like {@code kill -9}.
	 */
	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

}
