// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.actuate;

import java.util.Map;

import io.leaf.actuate.LeafEndpoint;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfigurationTests;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.text.IdFormats;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class LeafEndpointAutoConfigurationTests {

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, LeafSegmentAutoConfiguration.class,
				LeafEndpointAutoConfiguration.class))
		.withPropertyValues(this.database.property(), "management.endpoints.web.exposure.include=leaf");

	@Test
	void nameIsThatOfTheApplicationUnlessSet() {
		this.contextRunner
			.run((context) -> assertThat(nameIn(context.getBean(LeafEndpoint.class))).isEqualTo("application"));
		ApplicationContextRunner named = this.contextRunner.withPropertyValues("spring.application.name=orders");
		named.run((context) -> assertThat(nameIn(context.getBean(LeafEndpoint.class))).isEqualTo("orders"));
		named.withPropertyValues("leaf.name=ids")
			.run((context) -> assertThat(nameIn(context.getBean(LeafEndpoint.class))).isEqualTo("ids"));
	}

	@Test
	void usersEndpointWins() {
		this.contextRunner
			.withBean("userEndpoint", LeafEndpoint.class,
					() -> new LeafEndpoint("mine",
							new LeafSegmentAutoConfigurationTests.UserIdGenerator().userIdGenerator(), null, null,
							SnowflakeLayout.LEAF, new IdFormats(Map.of())))
			.run((context) -> assertThat(context).hasSingleBean(LeafEndpoint.class).hasBean("userEndpoint"));
	}

	@Test
	void usersGeneratorHasAnEndpoint() {
		this.contextRunner.withUserConfiguration(LeafSegmentAutoConfigurationTests.UserIdGenerator.class)
			.run((context) -> assertThat(context).hasSingleBean(SegmentIdGenerator.class)
				.hasSingleBean(LeafEndpoint.class));
	}

	@Test
	void noEndpointIfNotExposed() {
		this.contextRunner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).hasSingleBean(SegmentIdGenerator.class)
				.doesNotHaveBean(LeafEndpoint.class));
	}

	@Test
	void noEndpointWithoutAccess() {
		this.contextRunner.withPropertyValues("management.endpoint.leaf.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(LeafEndpoint.class));
	}

	@Test
	void noEndpointWithoutAGenerator() {
		this.contextRunner.withPropertyValues("leaf.segment.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LeafEndpoint.class));
	}

	private static String nameIn(LeafEndpoint endpoint) {
		return endpoint.report().name();
	}

}
