// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.time.ZoneOffset;
import java.util.Map;

import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.server.LeafServerProperties;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.text.IdFormats;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.StaticListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ApiConfiguration}.
 */
class ApiConfigurationTests {

	@Test
	void startupFailsWithAdviceForEachModeIfNoModeIsEnabled() {
		StaticListableBeanFactory none = new StaticListableBeanFactory();
		assertThatExceptionOfType(LeafStartupException.class)
			.isThrownBy(() -> new ApiConfiguration().idServlet(none.getBeanProvider(SegmentIdGenerator.class),
					none.getBeanProvider(SnowflakeIdGenerator.class), new IdFormats(Map.of()),
					new LeafServerProperties(false, Map.of(), Map.of(), ZoneOffset.UTC), new ProblemErrors(),
					new BodyMemory(1)))
			.withMessage("Neither segment mode nor snowflake mode is enabled, so the server cannot issue IDs.")
			.satisfies((ex) -> assertThat(ex.getAction()).contains("leaf.segment.datasource.url",
					"do not set leaf.segment.enabled=false", "leaf.snowflake.enabled=true"));
	}

}
