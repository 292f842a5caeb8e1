// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.persistence;

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
 * Tests for {@link LeafMybatisAutoConfiguration} and
 * {@link LeafMybatisPlusAutoConfiguration}.
 */
class LeafMybatisAutoConfigurationTests {

	private static final String INSTALLER = "leafIdentifierGeneratorInstaller";

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(LeafMybatisAutoConfiguration.class, LeafMybatisPlusAutoConfiguration.class));

	@Test
	void noBeansWithoutMybatis() {
		this.runner.withClassLoader(new FilteredClassLoader("org.apache.ibatis", "com.baomidou"))
			.run((context) -> assertThat(context).doesNotHaveBean(Interceptor.class).doesNotHaveBean(INSTALLER));
	}

	@Test
	void noInstallerWithoutMybatisPlus() {
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
