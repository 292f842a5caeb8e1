// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure.application;

import io.leaf.IdGenerator;
import io.leaf.segment.SegmentIdGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Selects Leaf's own generator by a property, which a shared configuration can set for
 * all slices.
 */
@JdbcTest(properties = { "spring.autoconfigure.exclude=io.leaf.test.autoconfigure.TestIdGeneratorAutoConfiguration",
		"leaf.segment.auto-create.enabled=true" })
class RealSegmentsByPropertySliceTests {

	@Test
	void idsComeFromTheTable(@Autowired IdGenerator generator) {
		assertThat(generator).isInstanceOf(SegmentIdGenerator.class);
		assertThat(generator.nextId("order")).isOne();
	}

}
