// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/**
 * Applications with the auto-configurations of Leaf, but without the endpoint: Spring
 * Boot retains the environment of each application that checks whether an endpoint is
 * exposed, until memory runs short.
 */
public final class TestApplications {

	private TestApplications() {
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class,
			LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class })
	public static class BothModes {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class,
			LeafIdGeneratorAutoConfiguration.class })
	public static class WithoutDataSource {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class })
	static class SnowflakeMode {

	}

}
