// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/**
 * How much is tested: what a JDK and Maven can run, in a short form; or, with
 * {@code -Dleaf.test.full=true} as in {@code .ci/run}, everything.
 */
public final class TestScope {

	private static final String FULL = "leaf.test.full";

	private static final Logger logger = LoggerFactory.getLogger(TestScope.class);

	private TestScope() {
	}

	/**
	 * Returns whether the long forms are run, and nothing that they need may be missing.
	 */
	public static boolean isFull() {
		return Boolean.getBoolean(FULL);
	}

	/**
	 * Returns whether tests in containers can be run, and reports them if not. They
	 * repeat others, so the full build does not require them.
	 * @param tests which they are
	 */
	public static boolean isDockerPresent(String tests) {
		boolean present = DockerClientFactory.instance().isDockerAvailable();
		if (!present) {
			logger.warn("NOT RUN: {}: Docker is not available. They repeat other tests", tests);
		}
		return present;
	}

	/**
	 * Reports tests that cannot be run on this machine.
	 * @param tests which they are
	 * @param reason what they need, and how to get it
	 * @throws IllegalStateException if the build is to run everything
	 */
	public static void notRun(String tests, String reason) {
		if (isFull()) {
			throw new IllegalStateException("%s cannot be run, and -D%s is set: %s".formatted(tests, FULL, reason));
		}
		logger.warn("NOT RUN: {}: {}", tests, reason);
	}

}
