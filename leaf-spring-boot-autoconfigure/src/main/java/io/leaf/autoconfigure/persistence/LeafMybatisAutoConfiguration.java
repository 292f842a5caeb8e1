// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.persistence;

import io.leaf.IdGenerator;
import io.leaf.mybatis.LeafIdInterceptor;
import org.apache.ibatis.plugin.Interceptor;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of {@link io.leaf.LeafId @LeafId} for MyBatis, whose own
 * auto-configuration registers every {@link Interceptor} bean.
 */
@AutoConfiguration
@ConditionalOnClass(Interceptor.class)
public final class LeafMybatisAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeafIdInterceptor leafIdInterceptor(ObjectProvider<IdGenerator> generator) {
		return new LeafIdInterceptor(new LazyIdGenerator(generator));
	}

}
