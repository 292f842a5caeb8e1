// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;

/**
 * Matches if there is a generator of at least one mode.
 */
public class OnAnyModeCondition extends AnyNestedCondition {

	OnAnyModeCondition() {
		super(ConfigurationPhase.REGISTER_BEAN);
	}

	@ConditionalOnBean(SegmentIdGenerator.class)
	static class Segment {

	}

	@ConditionalOnBean(SnowflakeIdGenerator.class)
	static class Snowflake {

	}

}
