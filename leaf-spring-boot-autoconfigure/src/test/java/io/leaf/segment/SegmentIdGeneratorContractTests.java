// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import io.leaf.IdGenerator;
import io.leaf.IdGeneratorContract;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract in segment mode, with the threads that an application has.
 */
class SegmentIdGeneratorContractTests extends IdGeneratorContract {

	private final SegmentIdGenerator generator = new SegmentIdGenerator(new InMemorySegmentStore().put("order", 1, 100),
			TestSettings.DEFAULTS);

	@BeforeEach
	void start() {
		this.generator.start();
	}

	@AfterEach
	void close() {
		this.generator.close();
	}

	@Override
	protected IdGenerator generator() {
		return this.generator;
	}

}
