// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.lang.reflect.Proxy;
import java.util.Random;

import io.leaf.snowflake.ManualTime;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.InMemoryWorkerLeaseStore.Fault;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HeldLease} with answers that are lost or late, and with writes of
 * other processes.
 */
class HeldLeaseTests {

	private static final long NOW = ManualTime.START.toEpochMilli();

	private static final long WINDOW = 60_000;

	private final InMemoryWorkerLeaseStore store = new InMemoryWorkerLeaseStore(() -> NOW);

	private final Lease claim = TestLeases.lease("me", NOW + WINDOW, "a:1", NOW, NOW);

	private final HeldLease lease = held(0);

	@BeforeEach
	void claim() {
		this.store.open(SnowflakeLayout.LEAF);
		this.store.put(0, this.claim, null);
	}

	private LeaseRecord record() {
		return this.store.read(0);
	}

	private HeldLease held(long workerId) {
		return new HeldLease(this.store, () -> NOW, new Random(7), workerId, this.claim, NOW - 1);
	}

	private boolean renew(long now) {
		return this.lease.renew(now, now, WINDOW);
	}

	@Test
	void aRenewalWhoseAnswerWasLostTakesEffectOnceAWriteOnTopOfItIsAnswered() {
		this.store.failWrites(Fault.ANSWER_LOST, Fault.ANSWER_LOST);
		assertThat(renew(NOW + 3_000)).isFalse();
		assertThat(record().lease().horizon()).isEqualTo(NOW + 3_000 + WINDOW);
		assertThat(this.lease.horizon()).isEqualTo(NOW + WINDOW);
		this.store.failWrites(Fault.ANSWER_LOST);
		assertThat(renew(NOW + 3_000)).isTrue();
		assertThat(this.lease.horizon()).isEqualTo(NOW + 3_000 + WINDOW);
	}

	@Test
	void aRenewalThatFindsAnEarlierOneOfTheSameLeaseIsWrittenOnTopOfIt() {
		this.store.failWrites(Fault.DELAYED);
		assertThat(renew(NOW + 3_000)).isFalse();
		assertThat(this.lease.isLost()).isFalse();
		assertThat(this.lease.failure()).hasMessageContaining("No answer");
		this.store.deliver();
		assertThat(renew(NOW + 6_000)).isTrue();
		assertThat(this.lease.horizon()).isEqualTo(NOW + 6_000 + WINDOW).isEqualTo(record().lease().horizon());
		assertThat(this.lease.failure()).isNull();
	}

	@Test
	void anUnansweredRenewalThatIsSeenAndLostInAFailoverDoesNotEndTheLease() {
		Lease confirmed = record().lease();
		this.store.failWrites(Fault.ANSWER_LOST, Fault.ANSWER_LOST);
		assertThat(renew(NOW + 3_000)).isFalse();
		this.store.put(0, confirmed, null);
		assertThat(renew(NOW + 6_000)).isTrue();
		assertThat(this.lease.horizon()).isEqualTo(NOW + 6_000 + WINDOW).isEqualTo(record().lease().horizon());
	}

	@Test
	void aLeaseWhoseRecordIsMissingIsLost() {
		HeldLease gone = held(7);
		assertThat(gone.renew(NOW, NOW, WINDOW)).isFalse();
		assertThat(gone.isLost()).isTrue();
	}

	@Test
	void aStoreThatMovedBackToAnEarlierRenewalEndsTheLease() {
		LeaseRecord earlier = record();
		assertThat(renew(NOW + 3_000)).isTrue();
		this.store.put(0, earlier.lease(), null);
		assertThat(renew(NOW + 6_000)).isFalse();
		assertThat(this.lease.isLost()).isTrue();
		assertThat(renew(NOW + 9_000)).isFalse();
		assertThat(record()).isEqualTo(earlier);
	}

	@Test
	void oneOfTwoCopiesOfARunningClaimEnds() {
		HeldLease copy = new HeldLease(this.store, () -> NOW, new Random(8), 0, this.claim, NOW - 1);
		assertThat(renew(NOW + 3_000)).isTrue();
		assertThat(copy.renew(NOW + 3_000, NOW + 3_000, WINDOW)).isFalse();
		assertThat(copy.isLost()).isTrue();
		assertThat(renew(NOW + 6_000)).isTrue();
	}

	@Test
	void oneOfTwoCopiesWithTheSameRandomNumbersEnds() {
		HeldLease original = new HeldLease(this.store, () -> NOW, LeaseKeeper.random(new Random(7), () -> 1_000), 0,
				this.claim, NOW - 1);
		HeldLease copy = new HeldLease(this.store, () -> NOW, LeaseKeeper.random(new Random(7), () -> 2_000), 0,
				this.claim, NOW - 1);
		assertThat(original.renew(NOW + 3_000, NOW + 3_000, WINDOW)).isTrue();
		assertThat(copy.renew(NOW + 3_000, NOW + 3_000, WINDOW)).isFalse();
		assertThat(copy.isLost()).isTrue();
	}

	@Test
	void aRenewalThatArrivesAfterManyOtherAttemptsIsStillRecognized() {
		this.store.failWrites(Fault.DELAYED);
		renew(NOW + 3_000);
		for (int i = 0; i < 100; i++) {
			this.store.failWrites(Fault.LOST);
			renew(NOW + 3_000 + i);
		}
		this.store.deliver();
		assertThat(renew(NOW + 6_000)).isTrue();
	}

	@Test
	void aResumedLeaseThatCannotBeReadReportsTheReason() {
		HeldLease resumed = HeldLease.resume(this.store, () -> NOW, new Random(8),
				new SavedLease(0, "me", NOW + WINDOW, NOW), "a:1");
		this.store.down(true);
		assertThat(resumed.renew(NOW, NOW, WINDOW)).isFalse();
		assertThat(resumed.failure()).hasMessage("The store is unavailable");
		this.store.down(false);
		assertThat(resumed.renew(NOW + 1, NOW, WINDOW)).isTrue();
		assertThat(record().lease().horizon()).isEqualTo(NOW + 1 + WINDOW);
	}

	@Test
	void aReleaseWhoseAnswerWasLostIsConfirmed() {
		this.store.failWrites(Fault.ANSWER_LOST);
		assertThat(this.lease.release(NOW + 5)).isTrue();
		assertThat(record().lease().isReleased()).isTrue();
		assertThat(record().lease().horizon()).isEqualTo(NOW + 5);
	}

	@Test
	void aReleaseThatWasLostIsSentAgain() {
		this.store.failWrites(Fault.LOST);
		assertThat(this.lease.release(NOW + 5)).isTrue();
		assertThat(record().lease().isReleased()).isTrue();
	}

	@Test
	void aReleaseThatFindsAnEarlierRenewalIsWrittenOnTopOfIt() {
		this.store.failWrites(Fault.DELAYED);
		renew(NOW + 3_000);
		this.store.deliver();
		assertThat(this.lease.release(NOW + 5)).isTrue();
		assertThat(record().lease().isReleased()).isTrue();
		assertThat(record().lease().horizon()).isEqualTo(NOW + 5);
	}

	@Test
	void aReleaseThatIsLostTwiceIsNotConfirmed() {
		this.store.failWrites(Fault.LOST, Fault.LOST);
		assertThat(this.lease.release(NOW + 5)).isFalse();
		assertThat(record().lease()).isEqualTo(this.claim);
	}

	@Test
	void anUnansweredReleaseThatHasArrivedIsRecognizedAtTheNextAttempt() {
		this.store.failWrites(Fault.ANSWER_LOST);
		this.store.beforeWrite((workerId) -> this.store.down(true));
		assertThat(this.lease.release(NOW + 5)).isFalse();
		this.store.down(false);
		this.store.beforeWrite((workerId) -> {
		});
		assertThat(this.lease.release(NOW + 5)).isTrue();
		assertThat(this.lease.isLost()).isFalse();
	}

	@Test
	void aRenewalThatIsRefusedAlthoughTheVersionIsTheSameIsAFailure() {
		WorkerLeaseStore refusing = (WorkerLeaseStore) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { WorkerLeaseStore.class },
				(proxy, method, arguments) -> method.getName().equals("write") ? Boolean.FALSE
						: method.invoke(this.store, arguments));
		HeldLease refused = new HeldLease(refusing, () -> NOW, new Random(7), 0, this.claim, NOW - 1);
		assertThat(refused.renew(NOW + 1, NOW, WINDOW)).isFalse();
		assertThat(refused.isLost()).isFalse();
		assertThat(refused.failure()).hasMessageContaining("worker ID 0");
	}

	@Test
	void aReleaseByAnotherProcessIsNotRecognizedAsThisRelease() {
		Lease others = TestLeases.lease(Lease.NO_OWNER, NOW + 90_000, "b:1", NOW, NOW);
		this.store.put(0, others, null);
		assertThat(this.lease.release(NOW + 5)).isFalse();
		assertThat(renew(NOW)).isFalse();
		assertThat(this.lease.isLost()).isTrue();
		assertThat(record().lease()).isEqualTo(others);
	}

}
