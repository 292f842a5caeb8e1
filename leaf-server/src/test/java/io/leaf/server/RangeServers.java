// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

import io.leaf.http.LeafServers;
import io.leaf.segment.server.ServerSegmentStore;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Starts Leaf servers that hand out ranges of a table in H2, and creates their clients.
 */
final class RangeServers {

	private RangeServers() {
	}

	static ConfigurableApplicationContext start(String database, String... arguments) {
		Stream<String> own = Stream.of("--server.port=0", "--management.server.port=0", "--server.address=127.0.0.1",
				"--leaf.snowflake.enabled=false", "--leaf.segment.refresh-interval=1d",
				"--leaf.segment.datasource.url=" + database + ";DB_CLOSE_DELAY=-1");
		return new SpringApplicationBuilder(LeafServerApplication.class).profiles("embedded")
			.run(Stream.concat(own, Stream.of(arguments)).toArray(String[]::new));
	}

	static URI url(ConfigurableApplicationContext server) {
		return URI.create("http://127.0.0.1:" + server.getEnvironment().getProperty("local.server.port"));
	}

	static ServerSegmentStore store(ConfigurableApplicationContext... servers) {
		return new ServerSegmentStore(servers(null, servers), "global"::equals);
	}

	static LeafServers servers(String token, ConfigurableApplicationContext... servers) {
		return new LeafServers(List.of(servers).stream().map(RangeServers::url).toList(), token, null,
				ObservationRegistry.NOOP, JsonParserFactory.getJsonParser()::parseMap);
	}

	static JdbcTemplate jdbc(String database) {
		return new JdbcTemplate(new DriverManagerDataSource(database + ";DB_CLOSE_DELAY=-1", "", ""));
	}

}
