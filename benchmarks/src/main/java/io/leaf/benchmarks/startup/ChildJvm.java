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
 * A separate JVM for an application that is measured. Its classpath consists of those
 * entries of this JVM's classpath that belong to such an application, with or without the
 * library. The application reports its figures in lines of its output.
 */
public final class ChildJvm {

	private static final String MARK = "@figure ";

	private static final String LIBRARY = "io/leaf/IdGenerator.class";

	private static final String BENCHMARKS = "io/leaf/benchmarks/startup/ChildJvm.class";

	// the dependencies of the starters, by the names of the jars, and datasource-proxy,
	// which does nothing unless it is called
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
	 * @param main the main class
	 * @param stack the dependencies on the classpath
	 * @param library whether the library is on the classpath
	 * @param flags the flags of the JVM
	 * @param args the arguments of the application
	 * @return the figures that it reported
	 * @throws IOException if the application fails
	 * @throws InterruptedException if this thread is interrupted
	 */
	public static Figures run(Class<?> main, Stack stack, boolean library, List<String> flags, List<String> args)
			throws IOException, InterruptedException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(flags);
		command.addAll(List.of("-cp", classpath(stack, library), main.getName()));
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
			throw new IOException("%s failed:%n%s".formatted(command, output));
		}
		return new Figures(figures);
	}

	private static String classpath(Stack stack, boolean library) throws IOException {
		Pattern jar = Pattern.compile("(%s)-\\d.*\\.jar".formatted(JDBC + stack.additional));
		List<String> entries = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			Path path = Path.of(entry);
			if (jar.matcher(String.valueOf(path.getFileName())).matches() || contains(path, BENCHMARKS)
					|| (library && contains(path, LIBRARY))) {
				entries.add(path.toAbsolutePath().toString());
			}
		}
		return String.join(File.pathSeparator, entries);
	}

	private static boolean contains(Path entry, String name) throws IOException {
		if (!Files.isRegularFile(entry)) {
			return Files.exists(entry.resolve(name));
		}
		try (JarFile jar = new JarFile(entry.toFile())) {
			return jar.getEntry(name) != null;
		}
	}

	/**
	 * Reports a figure to the JVM that has started this one.
	 * @param name the name
	 * @param value the value
	 */
	public static void report(String name, double value) {
		System.out.println(MARK + name + "=" + value);
	}

	/**
	 * Reports the uptime and the CPU time of this JVM in milliseconds.
	 * @param name the name of the uptime; that of the CPU time ends with "-cpu"
	 */
	public static void reportTimes(String name) {
		report(name, ManagementFactory.getRuntimeMXBean().getUptime());
		report(name + "-cpu",
				ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e6);
	}

	/**
	 * The dependencies of an application.
	 */
	public enum Stack {

		/**
		 * The dependencies of spring-boot-starter-jdbc, and H2.
		 */
		JDBC(""),

		/**
		 * {@link #JDBC} and the dependencies of spring-boot-starter-webmvc.
		 */
		WEB(ChildJvm.WEB),

		/**
		 * {@link #JDBC} and the driver of MySQL.
		 */
		MYSQL(ChildJvm.MYSQL);

		private final String additional;

		Stack(String additional) {
			this.additional = additional;
		}

	}

	/**
	 * The figures that an application has reported.
	 *
	 * @param values the figures by name
	 */
	public record Figures(Map<String, Double> values) {

		/**
		 * Returns a figure.
		 * @param name the name
		 * @return the value
		 * @throws IllegalStateException if it was not reported
		 */
		public double get(String name) {
			Double value = this.values.get(name);
			if (value == null) {
				throw new IllegalStateException("The figure '%s' is missing in %s".formatted(name, this.values));
			}
			return value;
		}

		/**
		 * Returns a count.
		 * @param name the name
		 * @return the value, or 0 if it was not reported
		 */
		public double count(String name) {
			Double value = this.values.get(name);
			return (value != null) ? value : 0;
		}

	}

}
