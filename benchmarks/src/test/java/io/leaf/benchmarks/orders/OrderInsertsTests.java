// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.orders;

import java.util.Arrays;
import java.util.List;

import io.leaf.test.server.Databases;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link OrderInserts}.
 */
class OrderInsertsTests {

	@Test
	void eachSourceIsMeasuredOnPostgreSqlAndOnlyIdentityTakesARoundTripPerOrder() throws Exception {
		List<List<String>> rows = OrderInserts.measure(Databases.postgresql(), 1, 400);
		assertThat(rows).allSatisfy((row) -> {
			assertThat(row).hasSameSizeAs(OrderInserts.COLUMNS).endsWith("400 IDs, no duplicate");
			assertThat(row.get(0)).startsWith("PostgreSQL ");
		});
		assertThat(rows).extracting((row) -> row.get(1))
			.containsExactlyElementsOf(Arrays.stream(OrderIds.values()).map(OrderIds::title).toList());
		List<Integer> roundTrips = rows.stream().map((row) -> Integer.valueOf(row.get(6))).toList();
		// two batches and a commit for each of four transactions
		assertThat(roundTrips.get(0)).isBetween(404, 450);
		assertThat(roundTrips.subList(1, roundTrips.size())).allMatch((count) -> count >= 12 && count < 100);
	}

	@Test
	void numberOfOrdersThatDoesNotFillTheLastTransactionIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> OrderInserts.measure(Databases.postgresql(), 1, 450))
			.withMessageContaining("a multiple of 100, and not 450");
	}

}
