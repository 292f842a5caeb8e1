// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The clocks of one process, which libfaketime changes while the process runs: only the
 * wall clock, or also the monotonic clock, which does not happen on a real system. If the
 * monotonic clock is set back, waits in that process take longer by the same time.
 */
final class FakeClock {

	static final String INSTALL = "apt-get install libfaketime; or, without root: apt-get download libfaketime"
			+ " && dpkg -x libfaketime_*.deb DIR, and -D" + FakeClock.PROPERTY
			+ "=DIR/usr/lib/…/faketime/libfaketimeMT.so.1";

	private static final String PROPERTY = "leaf.faults.libfaketime";

	private final Path library;

	private final Path file;

	private final boolean monotonicToo;

	/**
	 * Creates a clock with the correct time.
	 * @param library libfaketime
	 * @param file the file from which libfaketime reads the offset of the clock
	 * @param monotonicToo whether the monotonic clock is changed as well
	 */
	FakeClock(Path library, Path file, boolean monotonicToo) throws IOException {
		this.library = library;
		this.file = file;
		this.monotonicToo = monotonicToo;
		set(Duration.ZERO);
	}

	/**
	 * Finds libfaketime, and checks whether it works on this machine.
	 */
	static Optional<Path> library(Path directory) throws IOException, InterruptedException {
		for (Path candidate : candidates()) {
			FakeClock clock = new FakeClock(candidate, directory.resolve("probe"), false);
			clock.set(Duration.ofDays(2));
			ProcessBuilder builder = new ProcessBuilder("date", "+%s").redirectErrorStream(true);
			builder.environment().putAll(clock.environment());
			Process date = builder.start();
			String shown = new String(date.getInputStream().readAllBytes()).strip();
			date.waitFor();
			if (shown.matches("\\d+") && Long.parseLong(shown) > System.currentTimeMillis() / 1000 + 86_400) {
				return Optional.of(candidate);
			}
		}
		return Optional.empty();
	}

	private static List<Path> candidates() throws IOException {
		String named = System.getProperty(PROPERTY);
		if (named != null) {
			return List.of(Path.of(named).toAbsolutePath());
		}
		Path libraries = Path.of("/usr/lib");
		if (!Files.isDirectory(libraries)) {
			return List.of();
		}
		try (Stream<Path> architectures = Files.list(libraries)) {
			return architectures.map((each) -> each.resolve("faketime/libfaketimeMT.so.1"))
				.filter(Files::exists)
				.toList();
		}
	}

	/**
	 * Returns the environment of a process that has this clock.
	 */
	Map<String, String> environment() {
		Map<String, String> environment = new HashMap<>();
		environment.put("LD_PRELOAD", this.library.toString());
		environment.put("FAKETIME_TIMESTAMP_FILE", this.file.toAbsolutePath().toString());
		environment.put("FAKETIME_NO_CACHE", "1");
		if (!this.monotonicToo) {
			environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
			// otherwise libfaketime adjusts waiting times, although the monotonic clock
			// is correct
			environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
		}
		return environment;
	}

	/**
	 * Sets the offset of the clock, in whole seconds.
	 */
	void set(Duration offset) throws IOException {
		Path next = this.file.resolveSibling(this.file.getFileName() + ".next");
		Files.writeString(next, "%+d\n".formatted(offset.toSeconds()));
		Files.move(next, this.file, StandardCopyOption.ATOMIC_MOVE);
	}

}
