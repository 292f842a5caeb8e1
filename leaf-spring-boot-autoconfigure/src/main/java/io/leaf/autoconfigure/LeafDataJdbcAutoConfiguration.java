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
import io.leaf.data.LeafIdCallback;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;

/**
 * Auto-configuration of {@link io.leaf.LeafId @LeafId} for Spring Data JDBC.
 */
@AutoConfiguration
@ConditionalOnClass(JdbcMappingContext.class)
public final class LeafDataJdbcAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	LeafIdCallback leafIdCallback(ObjectProvider<JdbcMappingContext> contexts, ObjectProvider<IdGenerator> generator,
			ObjectProvider<NamedParameterJdbcOperations> database, ObjectProvider<Dialect> dialect) {
		return new LeafIdCallback(contexts.orderedStream().toList(), new LazyIdGenerator(generator),
				database::getObject, dialect::getObject);
	}

}
