// SPDX-License-Identifier: Apache-2.0

package io.leaf.jdbc;

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
			.withMessageContaining("'" + name + "' is not one to three names separated by dots");
	}

	@ParameterizedTest
	@CsvSource({ "leaf_alloc, leaf_worker", "ids.leaf_alloc, ids.leaf_worker", "a.b.c, a.b.leaf_worker" })
	void inSameSchemaKeepsSchemaAndCatalog(String name, String expected) {
		assertThat(new TableName(name).inSameSchema("leaf_worker")).hasToString(expected);
	}

}
