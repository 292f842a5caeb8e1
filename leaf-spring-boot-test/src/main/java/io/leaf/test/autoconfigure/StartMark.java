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
