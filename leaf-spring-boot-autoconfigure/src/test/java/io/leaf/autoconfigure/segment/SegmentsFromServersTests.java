// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.segment;

import java.util.ArrayList;
import java.util.List;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.properties.LeafServersProperties;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.http.LeafServers;
import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.server.ServerSegmentStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code leaf.segment.source=server}.
 */
class SegmentsFromServersTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LeafSegmentAutoConfiguration.class, SslAutoConfiguration.class,
				LeafIdGeneratorAutoConfiguration.class))
		.withPropertyValues("leaf.segment.source=server", "leaf.segment.fail-fast=false",
				"leaf.server.urls=http://127.0.0.1:1,http://127.0.0.1:2");

	@ParameterizedTest
	@ValueSource(strings = { "server", "SERVER", "Server" })
	void serversAreUsedEvenIfThereIsADatabase(String source) {
		this.runner.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
			.withPropertyValues("leaf.segment.source=" + source)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(ServerSegmentStore.class)
				.hasSingleBean(LeafServers.class)
				.hasBean("leafIdGenerator")
				.doesNotHaveBean("leafConnectionSource")
				.doesNotHaveBean("leafSchemaInitializer"));
	}

	@Test
	void noJdbcIsNeeded() {
		this.runner
			.withClassLoader(new FilteredClassLoader(JdbcTemplate.class.getPackageName(),
					"org.springframework.boot.jdbc", "org.springframework.boot.sql"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(ServerSegmentStore.class));
	}

	@Test
	void anUnreachableServerPreventsStartupAndIsNamed() {
		this.runner.withPropertyValues("leaf.segment.fail-fast=true", "leaf.segment.acquire-timeout=1ms")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.satisfies((cause) -> assertThat(context.getStartupFailure())
					.hasStackTraceContaining(SegmentStoreException.class.getName())
					.hasStackTraceContaining("No Leaf server has served the request")
					.hasStackTraceContaining("http://127.0.0.1:2")));
	}

	@Test
	void urlsAreRequired() {
		this.runner.withPropertyValues("leaf.server.urls=")
			.run((context) -> assertThat(context.getStartupFailure()).hasRootCauseInstanceOf(LeafStartupException.class)
				.hasStackTraceContaining("worker.source is server, but leaf.server.urls is not set"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1:8080", "ftp://leaf-1", "http:///x" })
	void urlsAreChecked(String url) {
		this.runner.withPropertyValues("leaf.server.urls=" + url)
			.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining("leaf.server.urls"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://leaf:secret@leaf-1", "http://leaf:sec@ret@leaf-1", "leaf:secret@leaf-1:8080",
			"http:/leaf:secret@leaf-1", "http://leaf:sec#ret@leaf-1", "http://leaf-1?token=secret",
			"leaf-2:8080,http://leaf:secret@leaf-1", "http://leaf:sec,ret@leaf-1", "http://leaf:secret%40leaf-1",
			"://leaf:secret@leaf-1" })
	void aUrlWithAPasswordIsRefusedAndNotShown(String url) {
		this.runner.withPropertyValues("leaf.server.urls=" + url)
			.run((context) -> assertThat(context.getStartupFailure()).hasRootCauseInstanceOf(LeafStartupException.class)
				.hasStackTraceContaining("leaf.server.urls contains a URL with a user, a query or a fragment")
				.satisfies((failure) -> assertThat(NestedExceptionUtils.getRootCause(failure)).message()
					.doesNotContain("leaf-1")));
	}

	@Test
	void anSslBundleThatDoesNotExistIsNamed() {
		this.runner.withPropertyValues("leaf.server.ssl-bundle=internal")
			.run((context) -> assertThat(context.getStartupFailure()).hasStackTraceContaining(
					"The property leaf.server.ssl-bundle is 'internal', but there is no such SSL bundle"));
	}

	@Test
	void withoutRestClientTheReasonIsNamed() {
		this.runner.withClassLoader(new FilteredClassLoader(RestClient.class))
			.run((context) -> assertThat(context.getStartupFailure())
				.hasStackTraceContaining("org.springframework.web.client.RestClient is not on the classpath"));
	}

	@Test
	void aStoreOfTheApplicationTakesPrecedence() {
		this.runner.withBean(SegmentStore.class, () -> new ServerSegmentStore(null, (key) -> false))
			.run((context) -> assertThat(context).doesNotHaveBean(LeafServers.class));
	}

	@Test
	void beansCreatedBeforeTheClientRequestIdsWhileTheyAreDestroyed() {
		List<String> reasons = new ArrayList<>();
		this.runner.withPropertyValues("leaf.segment.acquire-timeout=10ms")
			.withBean("early", Early.class, () -> new Early(reasons))
			.run((context) -> context.getBean(Early.class).generator = context.getBean("leafIdGenerator",
					IdGenerator.class));
		assertThat(reasons).singleElement().asString().doesNotContain("closed").contains("could not be looked up");
	}

	private static final class Early implements DisposableBean {

		private final List<String> reasons;

		private IdGenerator generator;

		private Early(List<String> reasons) {
			this.reasons = reasons;
		}

		@Override
		public void destroy() {
			try {
				this.generator.nextId("order");
			}
			catch (IdGenerationException ex) {
				this.reasons.add(ex.getMessage());
			}
		}

	}

	@Test
	void theTokenIsNotShown() {
		this.runner.withPropertyValues("leaf.server.token=sesame")
			.run((context) -> assertThat(context.getBean(LeafServersProperties.class).toString())
				.doesNotContain("sesame"));
	}

	@Test
	void aTokenThatCannotBeSentIsExplainedWithoutShowingIt() {
		this.runner.withPropertyValues("leaf.server.token=s\u00e9same").run((context) -> {
			Throwable failure = context.getStartupFailure();
			assertThat(failure).rootCause()
				.hasMessageContaining("leaf.server.token has a character that cannot be sent");
			assertThat(failure).hasStackTraceContaining("leaf.server.token");
			for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
				assertThat(cause.toString()).doesNotContain("same");
			}
		});
	}

}
