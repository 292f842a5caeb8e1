// SPDX-License-Identifier: Apache-2.0

package io.leaf.test;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.IdGeneratorContract;
import io.leaf.IdSequence;
import io.leaf.InvalidRequestException;
import io.leaf.SegmentUnavailableException;
import io.leaf.UnknownKeyException;
import io.leaf.text.IdFormat;
import io.leaf.text.IdFormats;
import org.junit.jupiter.api.Test;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class TestIdGeneratorTests extends IdGeneratorContract {

	private final TestIdGenerator ids = new TestIdGenerator();

	@Override
	protected IdGenerator generator() {
		return this.ids;
	}

	@Test
	void eachKeyCountsFromOne() {
		assertThat(this.ids.nextId("order")).isOne();
		assertThat(this.ids.nextIds("order", 3)).containsExactly(2, 3, 4);
		assertThat(this.ids.sequence("order").nextId()).isEqualTo(5);
		assertThat(this.ids.sequence("payment").nextIds(2)).containsExactly(1, 2);
	}

	@Test
	void nextIdAsyncReturnsACompletedStage() {
		IdSequence sequence = this.ids.sequence("order");
		assertThat(sequence.nextIdAsync().toCompletableFuture()).isCompletedWithValue(1L);
		this.ids.willFail("order");
		assertThat(sequence.nextIdAsync().toCompletableFuture()).isCompletedExceptionally()
			.failsWithin(Duration.ZERO)
			.withThrowableThat()
			.withCauseInstanceOf(SegmentUnavailableException.class);
		assertThat(sequence.nextId()).isEqualTo(2);
	}

	@Test
	void nextIdAsyncFailsWithTheSameExceptionWhileAnotherThreadUsesTheGenerator() throws Exception {
		SegmentUnavailableException failure = new SegmentUnavailableException("order", "no number", null);
		this.ids.willFail("order", failure);
		Lock lock = (Lock) ReflectionTestUtils.getField(this.ids, "lock");
		CompletableFuture<Throwable> reported = new CompletableFuture<>();
		lock.lock();
		try {
			CompletableFuture.supplyAsync(this.ids.sequence("order")::nextIdAsync)
				.get(30, TimeUnit.SECONDS)
				.whenComplete((id, ex) -> reported.complete(ex));
			assertThat(reported).isNotDone();
		}
		finally {
			lock.unlock();
		}
		assertThat(reported.get(30, TimeUnit.SECONDS)).isSameAs(failure);
	}

	@Test
	void keysCanStartFromAnotherNumber() {
		TestIdGenerator others = new TestIdGenerator(1000);
		assertThat(others.nextIds("order", 2)).containsExactly(1000, 1001);
		assertThat(others.nextId("payment")).isEqualTo(1000);
		others.reset();
		assertThat(others.nextId("order")).isEqualTo(1000);
		assertThat(new TestIdGenerator(0).nextId("order")).isZero();
		assertThatIllegalArgumentException().isThrownBy(() -> new TestIdGenerator(-1)).withMessageContaining("-1");
	}

	@Test
	void keysCanHaveFormats() {
		IdFormats formats = new IdFormats(Map.of("order", IdFormat.of("ORD-{number:4}")));
		TestIdGenerator others = new TestIdGenerator(7, Map.of(), formats);
		assertThat(others.nextText("order")).isEqualTo("ORD-0007");
		assertThat(others.nextText("payment")).isEqualTo("7");
	}

	@Test
	void aTestCanSetTheNextIds() {
		this.ids.nextId("order");
		this.ids.willIssue("order", 7, 2124130679133306956L);
		this.ids.willIssue("order", 2124130679133306960L);
		assertThat(this.ids.nextIds("order", 5)).containsExactly(7, 2124130679133306956L, 2124130679133306960L,
				2124130679133306961L, 2124130679133306962L);
		assertThat(this.ids.nextId("payment")).isOne();
	}

	@Test
	void nextIdsMustAscend() {
		this.ids.nextIds("order", 5);
		assertThatIllegalArgumentException().isThrownBy(() -> this.ids.willIssue("order", 5))
			.withMessageContaining(
					"Key 'order' cannot issue 5, because IDs must be in ascending order and the next ID must be at least 6");
		this.ids.willIssue("order", 10);
		assertThatIllegalArgumentException().isThrownBy(() -> this.ids.willIssue("order", 11, 12, 12))
			.withMessageContaining(
					"cannot issue 12, because IDs must be in ascending order and the next ID must be at least 13");
		assertThat(this.ids.nextIds("order", 2)).containsExactly(10, 11);
		assertThatIllegalArgumentException().isThrownBy(() -> this.ids.willIssue("payment", -1))
			.withMessageContaining("the next ID must be at least 1");
	}

	@Test
	void issuesNoIdAfterTheLargestNumber() {
		this.ids.willIssue("order", Long.MAX_VALUE);
		assertThatIllegalArgumentException().isThrownBy(() -> this.ids.willIssue("order", 1))
			.withMessageContaining("the largest possible number has been");
		assertThat(this.ids.nextId("order")).isEqualTo(Long.MAX_VALUE);
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> this.ids.nextId("order"))
			.withMessageContaining("'order' has issued the largest possible number");
		assertThat(this.ids.issued("order")).containsExactly(Long.MAX_VALUE);
	}

	@Test
	void aCallCanFailAsIfTheDatabaseWereUnavailable() {
		this.ids.willFail("order");
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.ids.nextId("order"))
			.withMessageContaining("'order'")
			.satisfies((ex) -> assertThat(ex.getKey()).isEqualTo("order"));
		assertThat(this.ids.nextId("order")).isOne();
	}

	@Test
	void aCallCanFailWithAGivenException() {
		UnknownKeyException failure = new UnknownKeyException("order", "no row");
		this.ids.willFail("order", failure);
		assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> this.ids.sequence("order").nextIds(3))
			.isSameAs(failure);
		assertThat(this.ids.nextId("payment")).isOne();
	}

	@Test
	void idsAndFailuresComeInTheOrderInWhichTheyWereSet() {
		this.ids.willIssue("order", 1, 2);
		this.ids.willFail("order");
		this.ids.willFail("order");
		this.ids.willIssue("order", 9);
		assertThat(this.ids.nextId("order")).isOne();
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.ids.nextIds("order", 2));
		assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.ids.nextId("order"));
		assertThat(this.ids.nextId("order")).isEqualTo(9);
		assertThat(this.ids.issued("order")).as("without the ID that the failed call had drawn").containsExactly(1, 9);
	}

	@Test
	void issuedIdsAreRecorded() {
		assertThat(this.ids.issued("order")).isEmpty();
		this.ids.nextIds("order", 3);
		this.ids.willIssue("order", 10);
		this.ids.nextIds("order", 2);
		this.ids.nextId("payment");
		assertThat(this.ids.issued("order")).containsExactly(1, 2, 3, 10, 11);
		assertThat(this.ids.issued("payment")).containsExactly(1);
	}

	@Test
	void resetDiscardsEverything() {
		IdSequence sequence = this.ids.sequence("order");
		sequence.nextIds(3);
		this.ids.willIssue("order", 50);
		this.ids.willFail("payment");
		this.ids.reset();
		assertThat(this.ids.issued("order")).isEmpty();
		assertThat(sequence.nextIds(2)).containsExactly(1, 2);
		assertThat(this.ids.nextId("payment")).isOne();
		assertThat(this.ids.issued("order")).containsExactly(1, 2);
	}

	@Test
	void resetRestoresTheMarkedStateEachTime() {
		this.ids.nextIds("order", 3);
		this.ids.willIssue("order", 10);
		this.ids.willFail("payment");
		this.ids.mark();
		for (int i = 0; i < 2; i++) {
			this.ids.reset();
			assertThat(this.ids.issued("order")).isEmpty();
			assertThat(this.ids.nextIds("order", 2)).containsExactly(10, 11);
			assertThatExceptionOfType(SegmentUnavailableException.class).isThrownBy(() -> this.ids.nextId("payment"));
			assertThat(this.ids.nextId("refund")).isOne();
		}
	}

	@Test
	void otherMethodsAlsoCheckKeys() {
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> this.ids.willIssue("", 1));
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> this.ids.willFail(""));
		assertThatExceptionOfType(InvalidRequestException.class).isThrownBy(() -> this.ids.issued(""));
		assertThatExceptionOfType(InvalidRequestException.class)
			.isThrownBy(() -> this.ids.willFail("", new IdGenerationException("unavailable")));
	}

}
