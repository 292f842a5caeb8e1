// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import io.leaf.server.api.ApiConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

/**
 * Leaf's HTTP service. The configuration of the management port is not imported here,
 * because Spring Boot finds it through {@code ManagementContextConfiguration.imports}.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
// Excludes the auto-configuration that registers Spring's ServerHttpObservationFilter,
// because RequestTimer replaces that filter. The auto-configuration has the first name in
// Spring Boot 4, and the second name in Spring Boot 3.5
@EnableAutoConfiguration(excludeName = {
		"org.springframework.boot.webmvc.autoconfigure.WebMvcObservationAutoConfiguration",
		"org.springframework.boot.actuate.autoconfigure.observation.web.servlet.WebMvcObservationAutoConfiguration" })
@Import(ApiConfiguration.class)
public class LeafServerApplication {

	private static final Logger logger = LoggerFactory.getLogger(LeafServerApplication.class);

	public static void main(String[] args) {
		SpringApplication.run(LeafServerApplication.class, args);
	}

	@EventListener
	void logAddresses(ApplicationReadyEvent event) {
		Environment environment = event.getApplicationContext().getEnvironment();
		logger.info("IDs: http://localhost:{}/api/segment/get/[key]. Live page: http://{}:{}/",
				environment.getProperty("local.server.port"),
				environment.getProperty("management.server.address", "localhost"),
				environment.getProperty("local.management.port"));
	}

}
