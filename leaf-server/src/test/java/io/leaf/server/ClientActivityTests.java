// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.time.Duration;
import java.time.Instant;

import io.leaf.server.ClientActivity.Lease;
import io.leaf.server.ClientActivity.Ranges;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClientActivity}.
 */
class ClientActivityTests {

	private Instant now = Instant.parse("2026-11-22T10:00:00Z");

	private final ClientActivity activity = new ClientActivity(() -> this.now);

	private void pass(long seconds) {
		this.now = this.now.plusSeconds(seconds);
	}

	@Test
	void theRangesOfTheLastMinuteAreCounted() {
		this.activity.rangeTaken("shop", "order", 1000);
		pass(30);
		this.activity.rangeTaken("shop", "order", 500);
		this.activity.rangeTaken("billing", "order", 2000);
		assertThat(this.activity.report().ranges()).containsExactly(new Ranges("billing", "order", 1, 2000),
				new Ranges("shop", "order", 2, 1500));
		pass(29);
		assertThat(this.activity.report().ranges()).hasSize(2).contains(new Ranges("shop", "order", 2, 1500));
		pass(1);
		assertThat(this.activity.report().ranges()).contains(new Ranges("shop", "order", 1, 500));
		pass(30);
		assertThat(this.activity.report().ranges()).isEmpty();
		assertThat(this.activity.report().rangesInAll()).isZero();
	}

	@Test
	void rangesAreCountedAlthoughTheClockGoesBack() {
		this.activity.rangeTaken("shop", "order", 1);
		pass(-3600);
		this.activity.rangeTaken("shop", "order", 2);
		assertThat(this.activity.report().ranges()).containsExactly(new Ranges("shop", "order", 2, 3));
	}

	@Test
	void aLeaseIsShownUntilItEnds() {
		long end = this.now.plusSeconds(60).toEpochMilli();
		this.activity.leaseWritten("shop", "orders", 2, "10.0.0.2:8080", end);
		this.activity.leaseWritten("shop", "orders", 1, "10.0.0.1:8080", end);
		this.activity.leaseWritten("shop", "orders", 2, "10.0.0.3:8080", end + 1);
		assertThat(this.activity.report().leases()).containsExactly(
				new Lease("shop", "orders", 1, "10.0.0.1:8080", end),
				new Lease("shop", "orders", 2, "10.0.0.3:8080", end + 1));
		pass(61);
		assertThat(this.activity.report().leases()).isEmpty();
	}

	@Test
	void aLeaseThatEndsInTheDistantFutureIsForgottenAnHourAfterItsLastWrite() {
		long end = Instant.parse("9999-12-31T00:00:00Z").toEpochMilli();
		for (int i = 0; i < ClientActivity.REMEMBERED; i++) {
			this.activity.leaseWritten("shop", "orders", i, "host", end);
		}
		pass(1800);
		this.activity.leaseWritten("shop", "orders", 0, "host", end);
		pass(1801);
		this.activity.leaseWritten("billing", "invoices", 1, "host", end);
		assertThat(this.activity.report().leases()).containsExactly(new Lease("billing", "invoices", 1, "host", end),
				new Lease("shop", "orders", 0, "host", end));
	}

	@Test
	void theNumbersOfRememberedAndShownEntriesAreLimited() {
		for (int i = 0; i <= ClientActivity.REMEMBERED; i++) {
			this.activity.rangeTaken("shop", "key-" + i, i + 1);
			this.activity.leaseWritten("shop", "orders", i, "host", this.now.plusSeconds(60).toEpochMilli());
		}
		ClientActivity.Report report = this.activity.report();
		assertThat(report.rangesInAll()).isEqualTo(ClientActivity.REMEMBERED);
		assertThat(report.ranges()).hasSize(ClientActivity.SHOWN)
			.first()
			.isEqualTo(new Ranges("shop", "key-9999", 1, 10_000));
		assertThat(report.leasesInAll()).isEqualTo(ClientActivity.REMEMBERED);
		assertThat(report.leases()).hasSize(ClientActivity.SHOWN);
		pass(61);
		this.activity.rangeTaken("shop", "later", 1);
		assertThat(this.activity.report().ranges()).containsExactly(new Ranges("shop", "later", 1, 1));
	}

	@Test
	void rangesOfKeysAboveTheLimitAreRecordedWithoutASearch() {
		for (int i = 0; i < ClientActivity.REMEMBERED; i++) {
			this.activity.rangeTaken("shop", "key-" + i, 1);
			this.activity.leaseWritten("shop", "orders", i, "host", this.now.plusSeconds(60).toEpochMilli());
		}
		long start = System.nanoTime();
		for (int i = 0; i < 20_000; i++) {
			this.activity.rangeTaken("shop", "other-" + i, 1);
		}
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
	}

}
