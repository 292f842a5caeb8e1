// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/**
 * The scope of the tests. By default, the tests run that need only a JDK and Maven, in a
 * short form. With {@code -Dleaf.test.full=true}, as in {@code .ci/run}, all tests run.
 */
public final class TestScope {

	private static final String FULL = "leaf.test.full";

	private static final Logger logger = LoggerFactory.getLogger(TestScope.class);

	private TestScope() {
	}

	/**
	 * Returns whether the long forms run. If so, everything that they need must be
	 * installed.
	 */
	public static boolean isFull() {
		return Boolean.getBoolean(FULL);
	}

	/**
	 * Returns whether tests in containers can be run, and reports the tests if not. They
	 * repeat other tests, so the full build does not require them.
	 * @param tests the names of the tests
	 */
	public static boolean isDockerPresent(String tests) {
		boolean present = DockerClientFactory.instance().isDockerAvailable();
		if (!present) {
			logger.warn("NOT RUN: {}: Docker is not available. These tests repeat other tests", tests);
		}
		return present;
	}

	/**
	 * Reports tests that cannot be run on this machine.
	 * @param tests the names of the tests
	 * @param reason what they need, and how to get it
	 * @throws IllegalStateException if the build must run all tests
	 */
	public static void notRun(String tests, String reason) {
		if (isFull()) {
			throw new IllegalStateException("%s cannot be run, but -D%s is set: %s".formatted(tests, FULL, reason));
		}
		logger.warn("NOT RUN: {}: {}", tests, reason);
	}

}
