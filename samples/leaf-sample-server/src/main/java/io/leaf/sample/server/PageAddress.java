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

package io.leaf.sample.server;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;

/**
 * Says where the live page is, once it is there.
 */
class PageAddress {

	private static final Logger logger = LoggerFactory.getLogger(PageAddress.class);

	@EventListener
	void ready(ApplicationReadyEvent event) {
		Environment environment = event.getApplicationContext().getEnvironment();
		logger.info("IDs: http://localhost:{}/api/segment/get/[key]. Live page: http://{}:{}/",
				environment.getProperty("local.server.port"),
				environment.getProperty("management.server.address", "localhost"),
				environment.getProperty("local.management.port"));
	}

}
