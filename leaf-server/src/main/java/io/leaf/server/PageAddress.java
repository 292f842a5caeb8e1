// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

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
