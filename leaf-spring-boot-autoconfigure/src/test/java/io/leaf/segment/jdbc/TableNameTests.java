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

package io.leaf.segment.jdbc;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TableNameTests {

	@ParameterizedTest
	@ValueSource(strings = { "leaf_alloc", "T", "_t$1", "ids.leaf_alloc", "catalog.schema.leaf_alloc" })
	void identifiersAreAccepted(String name) {
		assertThat(new TableName(name)).hasToString(name);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "1leaf", "leaf-alloc", "leaf alloc", "leaf_alloc;DROP TABLE x", "a.b.c.d", ".a",
			"a.", "`leaf`", "\"leaf\"", "leaf_alloc--", "表", "a\n",
			"x23456789012345678901234567890123456789012345678901234567890123456" })
	void anythingElseIsRefused(String name) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new TableName(name))
			.withMessageContaining("'" + name + "' is not a table name");
	}

	@ParameterizedTest
	@CsvSource({ "leaf_alloc, leaf_worker", "ids.leaf_alloc, ids.leaf_worker", "a.b.c, a.b.leaf_worker" })
	void besideIsInTheSameSchema(String name, String beside) {
		assertThat(new TableName(name).beside("leaf_worker")).hasToString(beside);
	}

}
