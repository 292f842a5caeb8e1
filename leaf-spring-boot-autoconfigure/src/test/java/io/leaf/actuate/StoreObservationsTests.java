// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.leaf.SegmentUnavailableException;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.actuate.LeafObservationAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.segment.InMemorySegmentStore;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStore;
import io.leaf.snowflake.lease.InMemoryWorkerLeaseStore;
import io.leaf.snowflake.lease.LeaseKeeper;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.test.simple.SimpleSpan;
import io.micrometer.tracing.test.simple.SimpleTracer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link StoreObservations}, with a tracer and a meter registry.
 */
class StoreObservationsTests {

	private final InMemorySegmentStore segments = new InMemorySegmentStore().put("order", 1, 100);

	private final InMemoryWorkerLeaseStore leases = new InMemoryWorkerLeaseStore(() -> Instant.now().toEpochMilli());

	private final MeterRegistry meters = new SimpleMeterRegistry();

	private final SimpleTracer tracer = new SimpleTracer();

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final Queue<Observation.Context> contexts = new ConcurrentLinkedQueue<>();

	StoreObservationsTests() {
		this.registry.observationConfig()
			.observationHandler(new DefaultMeterObservationHandler(this.meters))
			.observationHandler(new DefaultTracingObservationHandler(this.tracer))
			.observationHandler(new Recorder());
	}

	private ApplicationContextRunner contextRunner() {
		return new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class,
							LeafIdGeneratorAutoConfiguration.class, LeafObservationAutoConfiguration.class))
			.withBean("userStore", SegmentStore.class, () -> this.segments)
			.withBean("userLeases", WorkerLeaseStore.class, () -> this.leases,
					(definition) -> definition.setPrimary(true))
			.withBean(ObservationRegistry.class, () -> this.registry)
			.withPropertyValues("leaf.segment.enabled=true");
	}

	@TempDir
	private Path directory;

	private Observation.@Nullable Context observed(String name) {
		return this.contexts.stream().filter((context) -> name.equals(context.getName())).findFirst().orElse(null);
	}

	@Test
	void aFetchIsNotAChildOfTheCallThatTriggeredIt() {
		contextRunner().withPropertyValues("leaf.segment.acquire-timeout=30s").run((context) -> {
			SegmentIdGenerator generator = context.getBean(SegmentIdGenerator.class);
			Observation.createNotStarted("business", this.registry).observe(() -> {
				generator.nextId("order");
				generator.nextIds("order", 50);
			});
			await().until(() -> this.contexts.stream()
				.filter((each) -> each.getName().equals("leaf.segment.fetch"))
				.count() == 2);
			assertThat(observed("leaf.segment.fetch").getParentObservation()).isNull();
			assertThat(observed("leaf.segment.fetch").getHighCardinalityKeyValue("leaf.key").getValue())
				.isEqualTo("order");
			List<SimpleSpan> spans = List.copyOf(this.tracer.getSpans());
			assertThat(spans).extracting(SimpleSpan::getName)
				.containsExactlyInAnyOrder("business", "leaf segment fetch", "leaf segment fetch");
			assertThat(spans).extracting(SimpleSpan::getTraceId).as("each in its own trace").doesNotHaveDuplicates();
			assertThat(spans).extracting(SimpleSpan::getParentId).allSatisfy((id) -> assertThat(id).isNullOrEmpty());
		});
	}

	@Test
	void fetchesAreTimed() {
		contextRunner().withPropertyValues("leaf.segment.acquire-timeout=30s", "leaf.metrics.max-keys=0")
			.run((context) -> {
				context.getBean(SegmentIdGenerator.class).nextId("order");
				await().until(() -> this.meters.find("leaf.segment.fetch").timer() != null);
				assertThat(this.meters.get("leaf.segment.fetch")
					.tags("mode", "segment", "key", "_others", "error", "none")
					.timer()
					.count()).isPositive();
			});
	}

	@Test
	void aFailedFetchHasItsError() {
		contextRunner().withPropertyValues("leaf.segment.acquire-timeout=200ms").run((context) -> {
			this.segments.failWith(InMemorySegmentStore.down());
			assertThatExceptionOfType(SegmentUnavailableException.class)
				.isThrownBy(() -> context.getBean(SegmentIdGenerator.class).nextId("order"));
			// the caller may give up before the fetch is recorded
			await().until(() -> this.meters.find("leaf.segment.fetch").timer() != null);
			assertThat(observed("leaf.segment.fetch").getError()).hasMessage("the store is down");
			assertThat(this.meters.get("leaf.segment.fetch").tag("error", "SegmentStoreException").timer().count())
				.isPositive();
			this.segments.failWith(null);
		});
	}

	@Test
	void writesOfLeasesAreObserved() {
		contextRunner()
			.withPropertyValues("leaf.snowflake.enabled=true", "leaf.snowflake.report-interval=1s",
					"leaf.snowflake.state-dir=" + this.directory)
			.run((context) -> {
				assertThat(context).hasSingleBean(LeaseKeeper.class);
				await().atMost(Duration.ofSeconds(30)).until(() -> operation("renew") != null);
				assertThat(operation("claim")).isNotNull();
				assertThat(operation("renew").getParentObservation()).isNull();
				context.close();
				assertThat(operation("release")).isNotNull();
			});
	}

	private Observation.@Nullable Context operation(String operation) {
		return this.contexts.stream()
			.filter((context) -> context.getName().equals("leaf.snowflake.lease")
					&& context.getLowCardinalityKeyValue("operation").getValue().equals(operation))
			.findFirst()
			.orElse(null);
	}

	@Test
	void storesAreNotWrappedWithoutObservers() {
		StoreObservations none = new StoreObservations(ObservationRegistry.NOOP, new MeteredKeys(1));
		assertThat(none.observe(this.segments)).isSameAs(this.segments);
		assertThat(none.observe(this.leases)).isSameAs(this.leases);
	}

	private final class Recorder implements ObservationHandler<Observation.Context> {

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		@Override
		public void onStop(Observation.Context context) {
			StoreObservationsTests.this.contexts.add(context);
		}

	}

}
