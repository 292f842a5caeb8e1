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

package io.leaf.autoconfigure;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import io.leaf.RecordingIdGenerator;
import io.leaf.mybatis.LeafIdInterceptor;
import org.apache.ibatis.plugin.Interceptor;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link LeafMybatisAutoConfiguration} and
 * {@link LeafMybatisPlusAutoConfiguration}.
 */
class LeafMybatisAutoConfigurationTests {

	private static final String INSTALLER = "leafIdentifierGeneratorInstaller";

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(LeafMybatisAutoConfiguration.class, LeafMybatisPlusAutoConfiguration.class));

	@Test
	void withoutMybatis() {
		this.runner.withClassLoader(new FilteredClassLoader("org.apache.ibatis", "com.baomidou"))
			.run((context) -> assertThat(context).doesNotHaveBean(Interceptor.class).doesNotHaveBean(INSTALLER));
	}

	@Test
	void withoutMybatisPlus() {
		this.runner.withClassLoader(new FilteredClassLoader(IdentifierGenerator.class))
			.run((context) -> assertThat(context).hasSingleBean(LeafIdInterceptor.class).doesNotHaveBean(INSTALLER));
	}

	@Test
	void interceptorOfTheApplicationWins() {
		LeafIdInterceptor own = new LeafIdInterceptor(RecordingIdGenerator::new);
		this.runner.withBean("own", LeafIdInterceptor.class, () -> own)
			.run((context) -> assertThat(context.getBean(LeafIdInterceptor.class)).isSameAs(own));
	}

}
