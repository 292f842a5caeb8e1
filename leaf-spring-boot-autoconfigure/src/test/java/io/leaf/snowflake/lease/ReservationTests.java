// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease;

import java.util.Random;

import io.leaf.snowflake.ManualTime;
import io.leaf.snowflake.SnowflakeLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how {@link Reservation} writes the state file, and when it stops using it.
 */
class ReservationTests {

	private static final long NOW = ManualTime.START.toEpochMilli();

	private final InMemorySavedLeaseStore.Disk disk = new InMemorySavedLeaseStore.Disk();

	private final Reservation reservation = new Reservation(new InMemorySavedLeaseStore(this.disk));

	private final HeldLease lease = new HeldLease(new InMemoryWorkerLeaseStore(() -> NOW), () -> NOW, new Random(7), 0,
			TestLeases.lease("me", NOW + 7_000, "a:1", NOW, NOW), NOW - 1);

	@BeforeEach
	void open() {
		this.reservation.open(SnowflakeLayout.LEAF, new InMemoryWorkerLeaseStore(() -> NOW));
	}

	@Test
	void reservesFiveSecondsButNotBeyondTheHorizon() {
		assertThat(this.reservation.begin(this.lease, NOW)).isEqualTo(NOW + 5_000);
		assertThat(this.reservation.extend(NOW + 1_000)).isTrue();
		assertThat(this.disk.saved.reservedUntil()).isEqualTo(NOW + 6_000);
		assertThat(this.reservation.extend(NOW + 3_000)).isTrue();
		assertThat(this.disk.saved.reservedUntil()).isEqualTo(NOW + 7_000);
		assertThat(this.reservation.reservedUntil()).isEqualTo(NOW + 7_000);
	}

	@Test
	void writesNothingIfTheReservationAlreadyReachesFarEnough() {
		this.reservation.begin(this.lease, NOW + 3_000);
		this.disk.saved = null;
		assertThat(this.reservation.extend(NOW + 3_000)).isTrue();
		assertThat(this.reservation.extend(NOW + 4_000)).isTrue();
		assertThat(this.disk.saved).isNull();
		assertThat(this.reservation.isActive()).isTrue();
	}

	@Test
	void stopsUsingTheStateFileAfterTwoConsecutiveFailures() {
		this.reservation.begin(this.lease, NOW);
		this.disk.full = true;
		assertThat(this.reservation.extend(NOW + 1_000)).isTrue();
		assertThat(this.reservation.isActive()).isTrue();
		assertThat(this.reservation.extend(NOW + 1_500)).isFalse();
		assertThat(this.reservation.isActive()).isFalse();
		this.disk.full = false;
		assertThat(this.reservation.extend(NOW + 2_000)).isFalse();
		assertThat(this.reservation.reservedUntil()).isEqualTo(NOW + 5_000);
	}

	@Test
	void aSuccessResetsTheCountOfFailures() {
		this.reservation.begin(this.lease, NOW);
		for (int i = 1; i <= 4; i++) {
			this.disk.full = i % 2 == 1;
			assertThat(this.reservation.extend(NOW + i * 400)).isTrue();
		}
		assertThat(this.reservation.isActive()).isTrue();
	}

	@Test
	void withoutAStateFileNothingIsReserved() {
		Reservation none = new Reservation(null);
		assertThat(none.begin(this.lease, NOW)).isEqualTo(-1);
		assertThat(none.extend(NOW)).isFalse();
		assertThat(none.erase(this.lease)).isTrue();
	}

}
