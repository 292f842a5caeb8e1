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
