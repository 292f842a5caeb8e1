// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.leaf.IdGenerationException;
import io.leaf.IdSequence;
import io.leaf.ManualAsyncExecutor;
import io.leaf.NextIdAsyncContract;
import io.leaf.WorkerIdUnavailableException;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link IdSequence#nextIdAsync()} in snowflake mode.
 */
class SnowflakeNextIdAsyncTests extends NextIdAsyncContract {

	private final SnowflakeFixture fixture = new SnowflakeFixture(SnowflakeLayout.LEAF);

	private final ManualAsyncExecutor async = this.fixture.async;

	private final IdSequence sequence = this.fixture.generator.sequence("order");

	@Override
	protected IdSequence held() {
		return this.sequence;
	}

	@Override
	protected void release() {
		this.fixture.open();
	}

	@Override
	protected void settle() {
		this.async.run();
	}

	@Override
	protected void advance(Duration duration) {
		for (Duration left = duration; !left.isZero(); left = left.minusMillis(1)) {
			this.fixture.scheduler.advance(Duration.ofMillis(1));
			settle();
		}
	}

	@Override
	protected void close() {
		this.fixture.lanes.stop();
	}

	@Override
	protected ManualAsyncExecutor async() {
		return this.async;
	}

	@Override
	protected IdGenerationException timedOut() {
		return new WorkerIdUnavailableException(
				"No snowflake ID within leaf.snowflake.acquire-timeout (2 s): this process holds no worker ID at present. It claims a worker ID as soon as one is free in the store of the leases",
				null);
	}

	@Override
	protected String closedMessage() {
		return "The snowflake generator has been closed";
	}

	@Override
	protected int left() {
		return ((Collection<?>) Objects.requireNonNull(ReflectionTestUtils.getField(this.fixture.lanes, "waiting")))
			.size();
	}

	@Override
	protected long nextId(IdSequence sequence) {
		return sequence.nextId();
	}

	@Test
	void aCallWaitsForTheClock() {
		this.fixture.open();
		useTheLead();
		long waits = this.fixture.lanes.waits();
		List<CompletableFuture<Long>> calls = Stream.generate(() -> call(this.sequence)).limit(3).toList();
		settle();
		assertThat(calls).noneMatch(CompletableFuture::isDone);
		assertThat(this.fixture.lanes.takeDemand()).isTrue();
		assertThat(this.fixture.lanes.waits()).isEqualTo(waits + 3);
		advance(Duration.ofMillis(2));
		assertThat(calls.stream().map((call) -> call.getNow(null))).isSorted().doesNotHaveDuplicates();
		assertThat(this.fixture.lanes.waited()).isPositive();
		assertThat(this.async.scheduled()).isZero();
	}

	@Test
	void closingFailsACallThatWaitsForTheClock() {
		this.fixture.open();
		useTheLead();
		CompletableFuture<Long> call = call(this.sequence);
		settle();
		assertThat(call).isNotDone();
		this.fixture.lanes.stop();
		assertThatFailure(call).withMessageContaining("has been closed");
	}

	// draws all IDs that the lead allows
	private void useTheLead() {
		Stream.generate(() -> call(this.sequence))
			.takeWhile(CompletableFuture::isDone)
			.forEach((call) -> assertThat(call.getNow(null)).isPositive());
		settle();
		advance(Duration.ofMillis(1));
		while (call(this.sequence).isDone()) {
			// one more tick
		}
		settle();
	}

	@Test
	void aCallWaitsForALongerHorizon() {
		SnowflakeLane lane = this.fixture.open();
		advance(Duration.ofHours(1).plusMillis(1));
		CompletableFuture<Long> call = call(this.sequence);
		settle();
		assertThat(call).isNotDone();
		lane.extend(this.fixture.now() + SnowflakeFixture.HOUR);
		settle();
		assertThat(call).as("before the wake-up").isNotDone();
		this.fixture.lanes.wakeUp();
		settle();
		assertThat(call).isCompleted();
		assertThat(left()).isZero();
	}

}
