// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * A minimal application with a {@code DataSource} and Leaf.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class })
class LeafApplication {

	/**
	 * Starts the application.
	 * @param database the properties {@code spring.datasource.*}
	 * @param properties further properties
	 */
	static ConfigurableApplicationContext start(String[] database, String... properties) {
		List<String> arguments = new ArrayList<>();
		Collections.addAll(arguments, database);
		arguments.add("spring.main.banner-mode=off");
		arguments.add("spring.main.register-shutdown-hook=false");
		Collections.addAll(arguments, properties);
		return new SpringApplicationBuilder(LeafApplication.class).web(WebApplicationType.NONE)
			.run(arguments.stream().map((property) -> "--" + property).toArray(String[]::new));
	}

}
