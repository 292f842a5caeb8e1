// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.time.Clock;

import io.leaf.actuate.LeafEndpoint;
import io.leaf.server.LeafServerProperties;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * What listens on the management port beside the actuator.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
public class ConsoleConfiguration {

	@Bean
	MonitorController monitorController(LeafEndpoint endpoint, Environment environment,
			LeafServerProperties properties) {
		AllocationTable table = new AllocationTable(environment.getProperty("leaf.segment.datasource.url", ""),
				environment.getProperty("leaf.segment.datasource.username"),
				environment.getProperty("leaf.segment.datasource.password"),
				environment.getProperty("leaf.segment.table", "leaf_alloc"));
		return new MonitorController(endpoint, table, properties);
	}

	@Bean
	PageController pageController() {
		return new PageController();
	}

	@Bean
	PageResources pageResources() {
		return new PageResources();
	}

	@Bean
	ReportStream reportStream(LeafEndpoint endpoint) {
		// no beans: where the application has executors, Spring Boot gives it none
		return new ReportStream(endpoint::report, StreamThreads.scheduler(), StreamThreads.senders(),
				Clock.systemUTC());
	}

	@Bean
	EventsController eventsController(ReportStream stream) {
		return new EventsController(stream);
	}

}
