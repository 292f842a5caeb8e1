// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.persistence;

import io.leaf.IdGenerator;
import io.leaf.data.ReactiveLeafIdCallback;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.data.r2dbc.core.R2dbcEntityOperations;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;

/**
 * Auto-configuration of {@link io.leaf.LeafId @LeafId} for Spring Data R2DBC.
 */
@AutoConfiguration
@ConditionalOnClass(R2dbcMappingContext.class)
public final class LeafDataR2dbcAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ReactiveLeafIdCallback leafReactiveIdCallback(ObjectProvider<R2dbcMappingContext> contexts,
			ObjectProvider<IdGenerator> generator, ObjectProvider<R2dbcEntityOperations> database) {
		return new ReactiveLeafIdCallback(contexts.orderedStream().toList(), new LazyIdGenerator(generator),
				database::getObject);
	}

}
