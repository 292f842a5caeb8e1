// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.time.Duration;

import io.leaf.test.server.Databases;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link GlobalNumbers}.
 */
class GlobalNumbersTests {

	@Test
	void eachSourceIsMeasuredOnH2() throws Exception {
		NumberCase numberCase = GlobalNumbers.measure(Databases.h2(), 2, 1, Duration.ofMillis(100));
		assertThat(numberCase.rows()).hasSize(3).allSatisfy((row) -> {
			assertThat(row).hasSameSizeAs(NumberCase.COLUMNS).endsWith("no gap, no duplicate");
			assertThat(row.get(0)).startsWith("H2 ");
			assertThat(row.get(3)).isNotEqualTo("0");
		});
		assertThat(numberCase.rows()).extracting((row) -> row.get(2))
			.containsExactly("key with `ordering: global`", "insert with `AUTO_INCREMENT`",
					"transaction of Meituan's Leaf");
	}

}
