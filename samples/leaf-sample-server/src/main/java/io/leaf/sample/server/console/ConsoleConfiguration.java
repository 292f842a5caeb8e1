/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.sample.server.console;

import java.time.Clock;

import io.leaf.actuate.LeafEndpoint;
import io.leaf.sample.server.LeafServerProperties;

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
