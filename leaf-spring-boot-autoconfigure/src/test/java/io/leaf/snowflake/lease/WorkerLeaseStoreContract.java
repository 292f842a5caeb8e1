// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.List;
import java.util.Set;

import io.leaf.snowflake.SnowflakeLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The contract of a {@link WorkerLeaseStore} for one process. Stores that several
 * processes share extend {@link SharedWorkerLeaseStoreContract}.
 */
public abstract class WorkerLeaseStoreContract {

	protected static final SnowflakeLayout LAYOUT = SnowflakeLayout.LEAF;

	/**
	 * The time to which the horizons in the tests are relative.
	 */
	protected static final long NOW = 1_795_000_000_000L;

	protected WorkerLeaseStore store;

	/**
	 * Returns the store of this process. It is not yet open. The test class closes it.
	 */
	protected abstract WorkerLeaseStore createStore();

	/**
	 * Returns the store of this process after a restart. It is not yet open.
	 */
	protected abstract WorkerLeaseStore restart();

	@BeforeEach
	void open() {
		this.store = createStore();
		this.store.open(LAYOUT);
	}

	protected static Lease held(String owner, long horizon) {
		return TestLeases.lease(owner, horizon, "10.0.0.1:8080", NOW, NOW);
	}

	protected long create(Lease lease) {
		long workerId = this.store.newWorkerId(Set.of()).orElseThrow();
		assertThat(this.store.write(workerId, WorkerLeaseStore.ABSENT, lease)).isTrue();
		return workerId;
	}

	@Test
	void newWorkerId_isWithinTheLayoutAndHasNoLeaseRecord() {
		long workerId = this.store.newWorkerId(Set.of()).orElseThrow();
		assertThat(workerId).isBetween(0L, LAYOUT.maxWorkerId());
		assertThat(this.store.read(workerId)).isNull();
	}

	@Test
	void write_createsALeaseRecord() {
		long workerId = this.store.newWorkerId(Set.of()).orElseThrow();
		assertThat(this.store.write(workerId, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isTrue();
		LeaseRecord record = this.store.read(workerId);
		assertThat(record).isNotNull();
		assertThat(record.workerId()).isEqualTo(workerId);
		assertThat(record.lease()).isEqualTo(held("a", NOW + 10));
		assertThat(record.blockedBy()).isNull();
		assertThat(this.store.readAll()).extracting(LeaseRecord::workerId).containsExactly(workerId);
	}

	@Test
	void write_createsNothingIfThereIsALeaseRecord() {
		long workerId = create(held("a", NOW + 10));
		assertThat(this.store.write(workerId, WorkerLeaseStore.ABSENT, held("b", NOW + 20))).isFalse();
		assertThat(this.store.read(workerId)).extracting(LeaseRecord::lease).isEqualTo(held("a", NOW + 10));
	}

	@Test
	void write_changesTheLeaseRecordOfThatVersion() {
		long workerId = create(held("a", NOW + 10));
		long version = this.store.read(workerId).version();
		assertThat(this.store.write(workerId, version, held("a", NOW + 20))).isTrue();
		assertThat(this.store.read(workerId).lease()).isEqualTo(held("a", NOW + 20));
	}

	@Test
	void write_doesNotChangeALeaseRecordOfAnotherVersion() {
		long workerId = create(held("a", NOW + 10));
		long version = this.store.read(workerId).version();
		assertThat(this.store.write(workerId, version, held("a", NOW + 20))).isTrue();
		assertThat(this.store.write(workerId, version, held("a", NOW + 30))).isFalse();
		assertThat(this.store.read(workerId).lease().horizon()).isEqualTo(NOW + 20);
	}

	@Test
	void write_releasesALease() {
		long workerId = create(held("a", NOW + 10));
		Lease released = held(Lease.NO_OWNER, NOW + 5);
		assertThat(this.store.write(workerId, this.store.read(workerId).version(), released)).isTrue();
		LeaseRecord record = this.store.read(workerId);
		assertThat(record.lease()).isEqualTo(released);
		assertThat(record.lease().isReleased()).isTrue();
	}

	@Test
	void aReleasedLeaseCanBeClaimedAgain() {
		long workerId = create(held("a", NOW + 10));
		Lease released = held(Lease.NO_OWNER, NOW + 5);
		assertThat(this.store.write(workerId, this.store.read(workerId).version(), released)).isTrue();
		assertThat(this.store.write(workerId, released.version(), held("b", NOW + 20))).isTrue();
		LeaseRecord record = this.store.read(workerId);
		assertThat(record.lease()).isEqualTo(held("b", NOW + 20));
	}

	@Test
	void leaseRecordsOutliveTheProcess() {
		long workerId = create(held("a", NOW + 10));
		WorkerLeaseStore restarted = restart();
		restarted.open(LAYOUT);
		LeaseRecord record = restarted.read(workerId);
		assertThat(record).isNotNull();
		assertThat(record.lease().horizon()).isEqualTo(NOW + 10);
	}

	@Test
	void open_mayBeCalledAgain() {
		long workerId = create(held("a", NOW + 10));
		this.store.open(LAYOUT);
		assertThat(this.store.read(workerId)).isNotNull();
	}

	@Test
	void open_refusesAnotherLayoutThanTheOneRecorded() {
		create(held("a", NOW + 10));
		SnowflakeLayout another = SnowflakeLayout.JS_SAFE;
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> restart().open(another))
			.withMessageContainingAll(LAYOUT.toString(), another.toString(), "leaf.snowflake.layout")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	@Test
	void aWriteWhoseAnswerWasLostShowsItsOwner() {
		long workerId = this.store.newWorkerId(Set.of()).orElseThrow();
		// the answer is ignored, as if it had been lost
		this.store.write(workerId, WorkerLeaseStore.ABSENT, held("mine", NOW + 10));
		assertThat(this.store.read(workerId).lease().owner()).isEqualTo("mine");
		// if the write is sent again, it must not be treated as a second claim
		this.store.write(workerId, WorkerLeaseStore.ABSENT, held("mine", NOW + 10));
		assertThat(this.store.readAll()).extracting((r) -> r.lease().owner()).isEqualTo(List.of("mine"));
	}

}
