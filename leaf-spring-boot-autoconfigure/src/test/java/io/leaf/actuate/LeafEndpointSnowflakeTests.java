// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.nio.file.Path;
import java.time.Instant;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.actuate.LeafEndpointAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.snowflake.lease.InMemoryWorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.skyscreamer.jsonassert.JSONAssert;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the snowflake part of {@link LeafEndpoint}.
 */
class LeafEndpointSnowflakeTests {

	private final InMemoryWorkerLeaseStore store = new InMemoryWorkerLeaseStore(() -> Instant.now().toEpochMilli());

	@TempDir
	private Path directory;

	private ApplicationContextRunner contextRunner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(LeafSnowflakeAutoConfiguration.class,
					LeafIdGeneratorAutoConfiguration.class, LeafEndpointAutoConfiguration.class))
			.withBean("userStore", WorkerLeaseStore.class, () -> this.store,
					(definition) -> definition.setPrimary(true))
			.withPropertyValues("leaf.snowflake.enabled=true", "leaf.snowflake.state-dir=" + this.directory,
					"management.endpoints.web.exposure.include=leaf", "leaf.name=orders");
	}

	private static String json(Object report) {
		return JsonMapper.shared().writeValueAsString(report);
	}

	@Test
	void reportHasTheExpectedJson() {
		contextRunner().run((context) -> {
			LeafEndpoint endpoint = context.getBean(LeafEndpoint.class);
			assertThat(endpoint.report().segment()).isNull();
			assertThat(endpoint.report().snowflake().horizon()).isBetween(Instant.now().plusSeconds(3_500),
					Instant.now().plusSeconds(3_601));
			JSONAssert.assertEquals(
					"""
							{"workerIds": [0], "source": "memory", "issued": 0, "horizon": "?", "leadMillis": 0, "clockOffsetMillis": 0,
							 "lastError": null, "stateFileError": null,
							 "layout": {"timestampBits": 41, "workerBits": 10, "sequenceBits": 12, "unit": "milliseconds",
							            "epoch": "2010-11-04T01:42:54.657Z", "exhaustedAt": "2080-07-10T17:30:30.209Z"}}""",
					json(endpoint.report().snowflake()).replaceFirst("\"horizon\":\"[^\"]+\"", "\"horizon\":\"?\"")
						.replaceFirst("\"clockOffsetMillis\":-?\\d+", "\"clockOffsetMillis\":0"),
					true);
		});
	}

	@Test
	void idsAreDecodedWithoutSegmentMode() {
		contextRunner().run((context) -> {
			LeafEndpoint endpoint = context.getBean(LeafEndpoint.class);
			String id = String.valueOf(context.getBean(IdGenerator.class).nextId("payment"));
			assertThat(endpoint.decode("snowflake", id).workerId()).isZero();
			assertThat(endpoint.key("payment")).isNull();
		});
	}

	@Test
	void readingDoesNotAccessTheStore() {
		contextRunner().run((context) -> {
			this.store.down(true);
			assertThat(context.getBean(LeafEndpoint.class).report().snowflake().workerIds()).containsExactly(0L);
		});
	}

}
