// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.persistence;

import java.util.List;

import io.leaf.RecordingIdGenerator;
import io.leaf.data.LeafIdCallback;
import io.leaf.data.ReactiveLeafIdCallback;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.r2dbc.core.R2dbcEntityOperations;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LeafDataJdbcAutoConfiguration} and
 * {@link LeafDataR2dbcAutoConfiguration}.
 */
class LeafDataAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(LeafDataJdbcAutoConfiguration.class, LeafDataR2dbcAutoConfiguration.class));

	@Test
	void noCallbackWithoutSpringDataJdbc() {
		this.runner.withClassLoader(new FilteredClassLoader(JdbcMappingContext.class))
			.run((context) -> assertThat(context).doesNotHaveBean(LeafIdCallback.class)
				.hasSingleBean(ReactiveLeafIdCallback.class));
	}

	@Test
	void noReactiveCallbackWithoutSpringDataR2dbc() {
		this.runner.withClassLoader(new FilteredClassLoader(R2dbcMappingContext.class))
			.run((context) -> assertThat(context).hasSingleBean(LeafIdCallback.class)
				.doesNotHaveBean(ReactiveLeafIdCallback.class));
	}

	@Test
	void callbacksOfTheApplicationWin() {
		LeafIdCallback own = new LeafIdCallback(List.of(), RecordingIdGenerator::new,
				() -> mock(NamedParameterJdbcOperations.class), () -> mock(Dialect.class));
		ReactiveLeafIdCallback ownReactive = new ReactiveLeafIdCallback(List.of(), RecordingIdGenerator::new,
				() -> mock(R2dbcEntityOperations.class));
		this.runner.withBean("own", LeafIdCallback.class, () -> own)
			.withBean("ownReactive", ReactiveLeafIdCallback.class, () -> ownReactive)
			.run((context) -> {
				assertThat(context.getBean(LeafIdCallback.class)).isSameAs(own);
				assertThat(context.getBean(ReactiveLeafIdCallback.class)).isSameAs(ownReactive);
			});
	}

}
