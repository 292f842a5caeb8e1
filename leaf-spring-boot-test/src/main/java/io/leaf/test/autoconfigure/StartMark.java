// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure;

import io.leaf.test.TestIdGenerator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/**
 * Marks what an application has drawn at its start: rows that it inserted then are there
 * in every test method, and their IDs must not come again.
 */
final class StartMark {

	private final ObjectProvider<TestIdGenerator> generators;

	StartMark(ObjectProvider<TestIdGenerator> generators) {
		this.generators = generators;
	}

	@EventListener(ApplicationReadyEvent.class)
	void mark() {
		this.generators.forEach(TestIdGenerator::mark);
	}

}
