// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class FileNameTests {

	@ParameterizedTest
	@CsvSource({ "orders, orders", "Order_Service-2.x, Order_Service-2.x", "8080, 8080", "a b, a%20b", "a/b, a%2Fb",
			"a\\b, a%5Cb", "a:b, a%3Ab", "50%, 50%25", "., %2E", ".., .%2E", "../x, ..%2Fx", "x., x%2E", ".x, .x",
			"'', %", "Bücher, B%C3%BCcher", "订单, %E8%AE%A2%E5%8D%95" })
	void of_keepsTheCharactersThatEveryFileSystemAccepts(String name, String fileName) {
		assertThat(StateFile.fileName(name)).isEqualTo(fileName);
	}

	@Test
	void of_returnsDifferentFileNamesForDifferentNames() {
		List<String> names = List.of("", "%", "%2F", "/", "a/b", "a%2Fb", "a%252Fb", "a_b", "a b", ".", "..", "%2E",
				"...", "a.", "a", "a%2E");
		assertThat(names.stream().map(StateFile::fileName)).doesNotHaveDuplicates();
	}

	@Test
	void aNameThatIsTooLongForAFileIsTruncatedAndStaysDifferentFromOthers() {
		String longest = "订".repeat(128);
		assertThat(StateFile.fileName(longest)).hasSize(200)
			.startsWith("%E8%AE%A2")
			.isEqualTo(StateFile.fileName(longest));
		assertThat(StateFile.fileName("订".repeat(127))).hasSize(200).isNotEqualTo(StateFile.fileName(longest));
		assertThat(StateFile.fileName("x".repeat(200))).isEqualTo("x".repeat(200));
		assertThat(StateFile.fileName(StateFile.fileName(longest))).isNotEqualTo(StateFile.fileName(longest));
	}

}
