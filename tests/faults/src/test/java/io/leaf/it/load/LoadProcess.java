// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.test.server.InstalledJdk;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * A process with a small heap that runs all parts with one kind of callers, each part in
 * its own application.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class,
		LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class })
class LoadProcess {

	/**
	 * Runs the process, and waits until it has ended.
	 * @param jdk the JDK that runs it
	 * @param directory the directory of its files
	 * @param length how long the callers draw in each part
	 * @param properties the properties of the applications
	 * @return the results of the parts
	 */
	static List<LoadResult> run(InstalledJdk jdk, CallerKind kind, Path directory, Duration length,
			String... properties) throws IOException, InterruptedException {
		Path log = directory.resolve(kind.name().toLowerCase() + ".log");
		Path results = directory.resolve(kind.name().toLowerCase() + ".results");
		List<String> command = new ArrayList<>(List.of(jdk.java().toString(), "-Xmx256m", "-cp",
				System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
				LoadProcess.class.getName(), kind.name(), length.toString(), results.toString()));
		for (String property : properties) {
			command.add("--" + property);
		}
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
		try {
			Duration limit = length.multipliedBy(2L * LoadPart.values().length).plusMinutes(5);
			if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
				throw new AssertionError("The process with %s failed:%n%s".formatted(kind, Files.readString(log)));
			}
		}
		finally {
			process.destroyForcibly();
		}
		return read(results);
	}

	private static List<LoadResult> read(Path file) throws IOException {
		try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(file))) {
			return Arrays.asList((LoadResult[]) in.readObject());
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Runs all parts.
	 * @param args the kind of callers, the duration of a part, the file for the results,
	 * and properties as {@code --name=value}
	 */
	public static void main(String[] args) throws Exception {
		CallerKind kind = CallerKind.valueOf(args[0]);
		Duration length = Duration.parse(args[1]);
		List<LoadResult> results = new ArrayList<>();
		for (LoadPart part : LoadPart.values()) {
			List<String> properties = new ArrayList<>(List.of("--spring.main.banner-mode=off", "--leaf.name=load",
					"--leaf.snowflake.worker.source=jdbc", "--leaf.snowflake.host=10.0.0.1",
					"--leaf.snowflake.port=9000", "--leaf.snowflake.acquire-timeout=30s"));
			properties.addAll(part.properties());
			properties.addAll(Arrays.asList(args).subList(3, args.length));
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(LoadProcess.class)
				.web(WebApplicationType.NONE)
				.run(properties.toArray(String[]::new))) {
				results.add(new LoadRun(context, kind, part).run(length));
			}
			System.out.println(results.get(results.size() - 1));
		}
		try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(Path.of(args[2])))) {
			out.writeObject(results.toArray(LoadResult[]::new));
		}
	}

}
