// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.startup;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.regex.Pattern;

import com.sun.management.OperatingSystemMXBean;

/**
 * A JVM of its own for an application that is measured. Its class path is made of what
 * this JVM has, without the jars that such an application does not have, and with or
 * without the library. It tells its figures in lines of its output.
 */
public final class ChildJvm {

	private static final String MARK = "@figure ";

	private static final String LIBRARY = "io/leaf/IdGenerator.class";

	private static final String BENCHMARKS = "io/leaf/benchmarks/startup/ChildJvm.class";

	// what the starters bring, by the names of the jars; and what counts statements,
	// which
	// does nothing unless it is called
	private static final String JDBC = "spring-boot|spring-boot-(autoconfigure|jdbc|sql|transaction|persistence)"
			+ "|spring-(core|beans|context|expression|aop|jdbc|tx)|HikariCP|h2|datasource-proxy|logback-\\w+|slf4j-api"
			+ "|log4j-\\w+|log4j-to-slf4j|jul-to-slf4j|snakeyaml|jspecify|jakarta.annotation-api|commons-logging"
			+ "|micrometer-\\w+";

	private static final String WEB = "|spring-boot-(jackson|servlet|tomcat|web-server|webmvc|http-converter)|spring-(web|webmvc)"
			+ "|tomcat-embed-\\w+|jackson-\\w+";

	private static final String MYSQL = "|mysql-connector-j";

	private ChildJvm() {
	}

	/**
	 * Runs an application to its end.
	 * @param main its main class
	 * @param stack what is on its class path
	 * @param library whether the library is
	 * @param flags the flags of the JVM
	 * @param args the arguments of the application
	 * @return what it told
	 * @throws IOException if it fails
	 * @throws InterruptedException if this thread is interrupted meanwhile
	 */
	public static Figures run(Class<?> main, Stack stack, boolean library, List<String> flags, List<String> args)
			throws IOException, InterruptedException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(flags);
		command.addAll(List.of("-cp", classPath(stack, library), main.getName()));
		command.addAll(args);
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		Map<String, Double> figures = new HashMap<>();
		StringBuilder output = new StringBuilder();
		try (BufferedReader lines = process.inputReader()) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				output.append(line).append('\n');
				if (line.startsWith(MARK)) {
					String[] words = line.substring(MARK.length()).split("=");
					figures.put(words[0], Double.valueOf(words[1]));
				}
			}
		}
		if (process.waitFor() != 0) {
			throw new IOException("%s has failed:%n%s".formatted(command, output));
		}
		return new Figures(figures);
	}

	private static String classPath(Stack stack, boolean library) throws IOException {
		Pattern jar = Pattern.compile("(%s)-\\d.*\\.jar".formatted(JDBC + stack.more));
		List<String> entries = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			Path path = Path.of(entry);
			if (jar.matcher(String.valueOf(path.getFileName())).matches() || holds(path, BENCHMARKS)
					|| (library && holds(path, LIBRARY))) {
				entries.add(path.toAbsolutePath().toString());
			}
		}
		return String.join(File.pathSeparator, entries);
	}

	private static boolean holds(Path entry, String name) throws IOException {
		if (!Files.isRegularFile(entry)) {
			return Files.exists(entry.resolve(name));
		}
		try (JarFile jar = new JarFile(entry.toFile())) {
			return jar.getEntry(name) != null;
		}
	}

	/**
	 * Tells a figure to the JVM that has started this one.
	 * @param name its name
	 * @param value its value
	 */
	public static void tell(String name, double value) {
		System.out.println(MARK + name + "=" + value);
	}

	/**
	 * Tells how long this JVM has run, and how much CPU time it has used, in
	 * milliseconds.
	 * @param name the figures' name; the CPU time's has "-cpu" behind it
	 */
	public static void tellTimes(String name) {
		tell(name, ManagementFactory.getRuntimeMXBean().getUptime());
		tell(name + "-cpu", ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e6);
	}

	/**
	 * What an application is made of.
	 */
	public enum Stack {

		/**
		 * What spring-boot-starter-jdbc brings, and H2.
		 */
		JDBC(""),

		/**
		 * That, and what spring-boot-starter-webmvc brings.
		 */
		WEB(ChildJvm.WEB),

		/**
		 * That of {@link #JDBC}, and MySQL's driver.
		 */
		MYSQL(ChildJvm.MYSQL);

		private final String more;

		Stack(String more) {
			this.more = more;
		}

	}

}
