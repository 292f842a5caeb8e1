// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.net.InetAddress;

import io.leaf.server.api.ApiConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.Ssl;
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
		Binder binder = Binder.get(environment);
		boolean ssl = isEnabled(binder, "server.ssl", false);
		// server.ssl also applies to the management port, unless that port has properties
		// of its own
		boolean managementSsl = isEnabled(binder, "management.server.ssl", ssl);
		logger.info("IDs: {}://{}:{}/api/segment/get/[key]. Live page: {}://{}:{}/", scheme(ssl),
				host(binder, "server.address"), environment.getProperty("local.server.port"), scheme(managementSsl),
				host(binder, "management.server.address"), environment.getProperty("local.management.port"));
	}

	private static boolean isEnabled(Binder binder, String property, boolean other) {
		return binder.bind(property, Ssl.class).map((ssl) -> ssl.isEnabled()).orElse(other);
	}

	private static String scheme(boolean ssl) {
		return ssl ? "https" : "http";
	}

	private static String host(Binder binder, String property) {
		InetAddress address = binder.bind(property, InetAddress.class).orElse(null);
		if (address == null || address.isAnyLocalAddress()) {
			return "localhost";
		}
		String host = binder.bind(property, String.class).get();
		return (host.contains(":") && !host.startsWith("[")) ? "[" + host + "]" : host;
	}

}
