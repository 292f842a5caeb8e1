// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import io.leaf.server.api.ApiConfiguration;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Leaf's HTTP service. What listens on the management port is not imported here: Spring
 * Boot finds it by {@code ManagementContextConfiguration.imports}.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({ ApiConfiguration.class, PageAddress.class })
public class LeafServerApplication {

	public static void main(String[] args) {
		SpringApplication.run(LeafServerApplication.class, args);
	}

}
