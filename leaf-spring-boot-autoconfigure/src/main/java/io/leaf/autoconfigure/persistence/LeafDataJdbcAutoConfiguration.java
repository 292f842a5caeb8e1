// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.persistence;

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
