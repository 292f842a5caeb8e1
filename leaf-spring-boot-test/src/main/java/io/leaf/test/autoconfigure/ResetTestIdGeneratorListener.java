// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure;

import io.leaf.test.TestIdGenerator;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.core.Ordered;

/**
 * Resets the {@link TestIdGenerator} beans before each test method, unless
 * {@link AutoConfigureTestIdGenerator#reset} of the test class is {@code false}.
 */
final class ResetTestIdGeneratorListener implements TestExecutionListener, Ordered {

	/**
	 * This listener runs after dependency injection, which starts the application. It
	 * runs before a transaction begins for the test, because {@code @BeforeTransaction}
	 * methods can insert rows, and the test must not draw the IDs of these rows again.
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
