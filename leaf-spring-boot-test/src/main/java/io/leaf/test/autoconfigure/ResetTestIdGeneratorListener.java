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

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.core.Ordered;

/**
 * Resets {@link TestIdGenerator} beans before each test method.
 */
final class ResetTestIdGeneratorListener implements TestExecutionListener, Ordered {

	/**
	 * After the injection of dependencies, which starts the application, and before
	 * transactions, whose callbacks may insert rows.
	 */
	private static final int ORDER = 3500;

	@Override
	public int getOrder() {
		return ORDER;
	}

	@Override
	public void beforeTestMethod(TestContext testContext) {
		if (testContext.hasApplicationContext() && resets(testContext.getTestClass())) {
			testContext.getApplicationContext().getBeanProvider(TestIdGenerator.class).forEach(TestIdGenerator::reset);
		}
	}

	private static boolean resets(Class<?> testClass) {
		AutoConfigureTestIdGenerator annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureTestIdGenerator.class);
		return annotation == null || annotation.reset();
	}

}
