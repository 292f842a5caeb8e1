// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import io.leaf.IdGenerator;
import io.leaf.IdGeneratorContract;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract in snowflake mode.
 */
class SnowflakeIdGeneratorContractTests extends IdGeneratorContract {

	private final SnowflakeFixture fixture = new SnowflakeFixture(SnowflakeLayout.LEAF);

	@BeforeEach
	void open() {
		this.fixture.open();
	}

	@Override
	protected IdGenerator generator() {
		return this.fixture.generator;
	}

}
