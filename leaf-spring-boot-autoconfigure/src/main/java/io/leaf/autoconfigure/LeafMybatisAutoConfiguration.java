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
 * auto-configuration takes every {@link Interceptor} bean.
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
