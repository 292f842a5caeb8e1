// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;

/**
 * A JDK on this machine.
 *
 * @param home its directory
 * @param feature its feature version, such as 25
 */
public record InstalledJdk(Path home, int feature) {

	private static final List<String> VARIABLES = List.of("JAVA_HOME_25_X64", "JAVA_HOME_25", "JAVA_HOME_21_X64",
			"JAVA_HOME_21");

	private static final Path PACKAGED = Path.of("/usr/lib/jvm");

	/**
	 * Finds a JDK: the one that runs this code, otherwise one that an environment
	 * variable such as {@code JAVA_HOME_25} names, otherwise the latest one in
	 * {@code /usr/lib/jvm}.
	 * @param feature the lowest possible feature version
	 */
	private static Optional<InstalledJdk> atLeast(int feature) {
		Stream<InstalledJdk> own = Stream
			.of(new InstalledJdk(Path.of(System.getProperty("java.home")), Runtime.version().feature()));
		Stream<InstalledJdk> named = VARIABLES.stream()
			.map(System::getenv)
			.filter((home) -> home != null && !home.isBlank())
			.flatMap((home) -> in(Path.of(home)).stream());
		return Stream.concat(Stream.concat(own, named), packaged())
			.filter((jdk) -> jdk.feature() >= feature)
			.findFirst();
	}

	/**
	 * Finds a JDK for tests that cannot be run without it.
	 * @param feature the lowest possible feature version
	 * @param tests the tests that need it
	 */
	public static InstalledJdk require(int feature, String tests) {
		Optional<InstalledJdk> jdk = atLeast(feature);
		if (jdk.isEmpty()) {
			TestScope.notRun(tests,
					"no JDK %d or later was found. Run the build on one, or set JAVA_HOME_25 to its home"
						.formatted(feature));
			Assumptions.abort("There is no JDK " + feature);
		}
		return jdk.orElseThrow();
	}

	private static Stream<InstalledJdk> packaged() {
		if (!Files.isDirectory(PACKAGED)) {
			return Stream.empty();
		}
		try (Stream<Path> homes = Files.list(PACKAGED)) {
			return homes.flatMap((home) -> in(home).stream())
				.sorted(Comparator.comparing(InstalledJdk::feature).reversed())
				.toList()
				.stream();
		}
		catch (IOException ex) {
			return Stream.empty();
		}
	}

	private static Optional<InstalledJdk> in(Path home) {
		InstalledJdk jdk = new InstalledJdk(home, 0);
		Path release = home.resolve("release");
		if (!Files.isExecutable(jdk.java()) || !Files.isReadable(release)) {
			return Optional.empty();
		}
		Properties properties = new Properties();
		try (Reader reader = Files.newBufferedReader(release)) {
			properties.load(reader);
		}
		catch (IOException ex) {
			return Optional.empty();
		}
		String version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
		return version.isEmpty() ? Optional.empty()
				: Optional.of(new InstalledJdk(home, Runtime.Version.parse(version).feature()));
	}

	/**
	 * Returns the path of the {@code java} command.
	 */
	public Path java() {
		return this.home.resolve("bin").resolve("java");
	}

}
