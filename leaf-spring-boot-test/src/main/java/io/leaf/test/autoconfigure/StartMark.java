// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure;

import io.leaf.test.TestIdGenerator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;

/**
 * Marks the state of the generators when the application has started: rows inserted
 * during startup exist in every test method, so their IDs must not be issued again.
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
