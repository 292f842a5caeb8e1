// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

import io.leaf.server.LeafServerApplication;
import org.h2.tools.Server;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A Leaf server and its database, both of which can be stopped and restarted.
 */
final class LivePageServer implements AutoCloseable {

	private static final String NAME = "mem:live;DB_CLOSE_DELAY=-1";

	/**
	 * A connection that bypasses the database server, so that it works while the server
	 * is stopped.
	 */
	private final JdbcTemplate rows = new JdbcTemplate(new DriverManagerDataSource("jdbc:h2:" + NAME, "sa", ""));

	private final Path stateDirectory;

	private Server database;

	private ConfigurableApplicationContext application;

	private ReportStream stream;

	LivePageServer(Path stateDirectory) throws SQLException {
		this.stateDirectory = stateDirectory;
		this.rows.execute("DROP ALL OBJECTS");
		this.rows.execute("RUNSCRIPT FROM '../sql/schema-h2.sql'");
		this.database = Server.createTcpServer("-tcpPort", "0").start();
	}

	void insert(String key, int step) {
		this.rows.update("INSERT INTO leaf_alloc (biz_tag, step) VALUES (?, ?)", key, step);
	}

	void insertMany(int number) {
		this.rows.update(
				"INSERT INTO leaf_alloc (biz_tag, step) SELECT CONCAT('key-', x), 1000 FROM SYSTEM_RANGE(1, ?)",
				number);
	}

	/**
	 * Starts the application.
	 * @param arguments properties as {@code name=value}, which override the default ones
	 */
	void start(String... arguments) {
		Map<String, String> properties = new HashMap<>(Map.of("spring.application.name", "shop", "server.port", "0",
				"management.server.port", "0", "leaf.segment.datasource.url",
				"jdbc:h2:tcp://localhost:" + this.database.getPort() + "/" + NAME, "leaf.segment.datasource.username",
				"sa", "leaf.segment.auto-create.enabled", "true", "leaf.segment.auto-create.keys", "*",
				"leaf.snowflake.enabled", "true", "leaf.snowflake.worker.source", "jdbc", "leaf.snowflake.state-dir",
				this.stateDirectory.toString()));
		for (String argument : arguments) {
			String[] property = argument.split("=", 2);
			properties.put(property[0], property[1]);
		}
		this.application = new SpringApplicationBuilder(LeafServerApplication.class)
			.listeners((ApplicationListener<ContextRefreshedEvent>) (event) -> event.getApplicationContext()
				.getBeansOfType(ReportStream.class)
				.values()
				.forEach((stream) -> this.stream = stream))
			.run(properties.entrySet().stream().map((property) -> "--" + property).toArray(String[]::new));
	}

	void stop() {
		this.application.close();
	}

	int port() {
		return this.application.getEnvironment().getProperty("local.management.port", Integer.class);
	}

	int apiPort() {
		return this.application.getEnvironment().getProperty("local.server.port", Integer.class);
	}

	String address() {
		return "http://localhost:" + port() + "/";
	}

	<T> T bean(Class<T> type) {
		return this.application.getBean(type);
	}

	ReportStream stream() {
		return this.stream;
	}

	void stopDatabase() {
		this.database.stop();
	}

	void restartDatabase() throws SQLException {
		this.database = Server.createTcpServer("-tcpPort", String.valueOf(this.database.getPort())).start();
	}

	@Override
	public void close() {
		if (this.application != null) {
			this.application.close();
		}
		this.database.stop();
		this.rows.execute("SHUTDOWN");
	}

}
