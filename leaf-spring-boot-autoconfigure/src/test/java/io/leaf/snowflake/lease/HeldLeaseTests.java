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

package io.leaf.snowflake.lease;

import io.leaf.snowflake.ManualTime;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.HeldLease.Outcome;
import io.leaf.snowflake.lease.InMemoryWorkerLeaseStore.Fault;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what {@link HeldLease} makes of answers that are lost, late, or somebody
 * else's.
 */
class HeldLeaseTests {

	private static final long NOW = ManualTime.START.toEpochMilli();

	private static final long WINDOW = 60_000;

	private final InMemoryWorkerLeaseStore store = new InMemoryWorkerLeaseStore(() -> NOW);

	private final WorkerLease claim = new WorkerLease("me", NOW + WINDOW, "a:1", NOW, NOW);

	private final HeldLease lease = new HeldLease(this.store, () -> NOW, 0, this.claim, 0, NOW - 1);

	@BeforeEach
	void claim() {
		this.store.open(SnowflakeLayout.LEAF);
		this.store.put(0, this.claim, true, null);
	}

	private LeaseRegister register() {
		return this.store.read(0);
	}

	private Outcome renew(long now) {
		return this.lease.renew(now, now, WINDOW);
	}

	@Test
	void aRenewalWhoseAnswerWasLostIsNotWrittenASecondTime() {
		this.store.failWrites(Fault.ANSWER_LOST);
		assertThat(renew(NOW + 3_000)).isEqualTo(Outcome.DONE);
		assertThat(this.lease.horizon()).isEqualTo(NOW + 3_000 + WINDOW);
		assertThat(register().version()).isEqualTo(1);
	}

	@Test
	void aRenewalThatMeetsAnEarlierOneOfItsOwnIsWrittenOnTopOfIt() {
		this.store.failWrites(Fault.DELAYED);
		assertThat(renew(NOW + 3_000)).isEqualTo(Outcome.UNKNOWN);
		assertThat(this.lease.failure()).hasMessageContaining("No answer");
		this.store.deliver();
		assertThat(renew(NOW + 6_000)).isEqualTo(Outcome.DONE);
		assertThat(this.lease.horizon()).isEqualTo(NOW + 6_000 + WINDOW).isEqualTo(register().lease().horizon());
		assertThat(this.lease.failure()).isNull();
	}

	@Test
	void aLeaseWhoseRegisterIsGoneIsLost() {
		HeldLease gone = new HeldLease(this.store, () -> NOW, 7, this.claim, 0, NOW - 1);
		assertThat(gone.renew(NOW, NOW, WINDOW)).isEqualTo(Outcome.LOST);
	}

	@Test
	void aResumedLeaseThatCannotBeLookedUpTellsWhy() {
		HeldLease resumed = HeldLease.resume(this.store, () -> NOW, new RememberedLease(0, "me", NOW + WINDOW, NOW),
				"a:1");
		this.store.down(true);
		assertThat(resumed.renew(NOW, NOW, WINDOW)).isEqualTo(Outcome.UNKNOWN);
		assertThat(resumed.failure()).hasMessage("The store is away");
		this.store.down(false);
		assertThat(resumed.renew(NOW + 1, NOW, WINDOW)).isEqualTo(Outcome.DONE);
		assertThat(register().lease().horizon()).isEqualTo(NOW + 1 + WINDOW);
	}

	@Test
	void aReleaseWhoseAnswerWasLostIsCertain() {
		this.store.failWrites(Fault.ANSWER_LOST);
		assertThat(this.lease.release(NOW + 5)).isTrue();
		assertThat(register().version()).isEqualTo(1);
		assertThat(register().lease()).isEqualTo(new WorkerLease(WorkerLease.NOBODY, NOW + 5, "a:1", NOW, NOW));
	}

	@Test
	void aReleaseThatWasLostIsSentAgain() {
		this.store.failWrites(Fault.LOST);
		assertThat(this.lease.release(NOW + 5)).isTrue();
		assertThat(register().lease().isReleased()).isTrue();
	}

	@Test
	void aReleaseThatMeetsAnEarlierRenewalIsWrittenOnTopOfIt() {
		this.store.failWrites(Fault.DELAYED);
		renew(NOW + 3_000);
		this.store.deliver();
		assertThat(this.lease.release(NOW + 5)).isTrue();
		assertThat(register().lease().isReleased()).isTrue();
		assertThat(register().lease().horizon()).isEqualTo(NOW + 5);
	}

	@Test
	void aReleaseThatIsLostTwiceIsNotCertain() {
		this.store.failWrites(Fault.LOST, Fault.LOST);
		assertThat(this.lease.release(NOW + 5)).isFalse();
		assertThat(register().lease()).isEqualTo(this.claim);
	}

	@Test
	void whatSomebodyElseHasReleasedIsNotThisRelease() {
		WorkerLease others = new WorkerLease(WorkerLease.NOBODY, NOW + 90_000, "b:1", NOW, NOW);
		this.store.put(0, others, false, null);
		assertThat(this.lease.release(NOW + 5)).isFalse();
		assertThat(renew(NOW)).isEqualTo(Outcome.LOST);
		assertThat(register().lease()).isEqualTo(others);
	}

}
