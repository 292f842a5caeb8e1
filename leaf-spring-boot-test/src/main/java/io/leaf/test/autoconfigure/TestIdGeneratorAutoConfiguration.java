// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.LeafSnowflakeAutoConfiguration;
import io.leaf.test.TestIdGenerator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Puts a {@link TestIdGenerator} in the place of Leaf's generators. Excluded from a slice
 * ({@code excludeAutoConfiguration}), it leaves their place to them.
 *
 * @see AutoConfigureTestIdGenerator
 */
@AutoConfiguration(before = { LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class,
		LeafIdGeneratorAutoConfiguration.class })
public final class TestIdGeneratorAutoConfiguration {

	// the name that the generator has in the application
	@Bean
	@ConditionalOnMissingBean(IdGenerator.class)
	TestIdGenerator leafIdGenerator() {
		return new TestIdGenerator();
	}

	@Bean
	StartMark leafTestIdStartMark(ObjectProvider<TestIdGenerator> generators) {
		return new StartMark(generators);
	}

}
