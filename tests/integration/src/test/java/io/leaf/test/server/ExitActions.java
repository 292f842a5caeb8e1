// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done when the JVM ends: after the applications that tests have started, which
 * may have a last word with their database.
 */
final class ExitActions {

	private static final Logger logger = LoggerFactory.getLogger(ExitActions.class);

	/** The names of the threads in which Spring Boot and Spring close applications. */
	private static final Set<String> APPLICATIONS = Set.of("SpringApplicationShutdownHook",
			"SpringContextShutdownHook");

	/** Surefire allows 30 seconds for all. */
	private static final long APPLICATIONS_LIMIT = TimeUnit.SECONDS.toMillis(20);

	private static final Set<Runnable> actions = ConcurrentHashMap.newKeySet();

	static {
		Runtime.getRuntime().addShutdownHook(new Thread(ExitActions::run, "database-servers-exit"));
	}

	private ExitActions() {
	}

	static void add(Runnable action) {
		actions.add(action);
	}

	static void remove(Runnable action) {
		actions.remove(action);
	}

	private static void run() {
		try {
			awaitApplications();
		}
		catch (InterruptedException ex) {
			// the actions then run without waiting
		}
		for (Runnable action : actions) {
			try {
				action.run();
			}
			catch (RuntimeException ex) {
				logger.warn("Failed when the JVM ended", ex);
			}
		}
	}

	/**
	 * The JVM starts all its hooks at once and in no order, so those of the applications
	 * get a moment to appear. (Spring Boot's own handlers do not run where a test has run
	 * no application.)
	 */
	private static void awaitApplications() throws InterruptedException {
		Thread.sleep(100);
		List<Thread> applications = Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> APPLICATIONS.contains(thread.getName()))
			.toList();
		for (Thread application : applications) {
			application.join(APPLICATIONS_LIMIT);
		}
	}

}
