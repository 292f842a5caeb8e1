// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Actions that run when the JVM ends, but after the applications that tests have started
 * have shut down, because these may still use their database.
 */
final class ExitActions {

	private static final Logger logger = LoggerFactory.getLogger(ExitActions.class);

	/** The names of the threads in which Spring Boot and Spring close applications. */
	private static final Set<String> APPLICATIONS = Set.of("SpringApplicationShutdownHook",
			"SpringContextShutdownHook");

	/** Surefire allows 30 seconds for the whole shutdown. */
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
			// run the actions without waiting
		}
		for (Runnable action : actions) {
			try {
				action.run();
			}
			catch (RuntimeException ex) {
				logger.warn("An action at the end of the JVM failed", ex);
			}
		}
	}

	/**
	 * Waits until the shutdown hooks of the applications have ended. The JVM starts all
	 * hooks at once, in no particular order, so the hooks of the applications first get a
	 * moment to start. (Spring Boot's own shutdown handlers do not run if no test has
	 * started an application.)
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
