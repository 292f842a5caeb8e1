// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads of the {@link ReportStream}. None of them keeps the process alive.
 */
final class StreamThreads {

	private StreamThreads() {
	}

	static ScheduledExecutorService scheduler() {
		ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1, daemons("leaf-report-"));
		scheduler.setRemoveOnCancelPolicy(true);
		return scheduler;
	}

	static ExecutorService senders() {
		return new ThreadPoolExecutor(0, ReportStream.MAX_VIEWERS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(),
				daemons("leaf-viewer-"));
	}

	private static ThreadFactory daemons(String prefix) {
		CustomizableThreadFactory factory = new CustomizableThreadFactory(prefix);
		factory.setDaemon(true);
		return factory;
	}

}
