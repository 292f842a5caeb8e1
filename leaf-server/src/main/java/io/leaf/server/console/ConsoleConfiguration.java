// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.net.InetAddress;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.leaf.actuate.LeafEndpoint;
import io.leaf.autoconfigure.datasource.ConnectionSource;
import io.leaf.autoconfigure.properties.LeafSegmentProperties;
import io.leaf.server.ClientActivity;
import io.leaf.server.LeafServerProperties;
import io.leaf.server.RequestTurns;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Configures what the management port serves in addition to the actuator: the live page,
 * and the same pages as on a server of Meituan's Leaf.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
public class ConsoleConfiguration {

	@Bean
	MonitorController monitorController(LeafEndpoint endpoint, ObjectProvider<ConnectionSource> databases,
			ObjectProvider<LeafSegmentProperties> segment, RequestTurns turns, LeafServerProperties properties) {
		ConnectionSource database = databases.getIfAvailable();
		AllocationTable table = (database != null)
				? new AllocationTable(database.dataSource(), segment.getObject().tableName(), turns) : null;
		return new MonitorController(endpoint, table, properties);
	}

	@Bean
	InvalidPathFilter invalidPathFilter() {
		return new InvalidPathFilter();
	}

	@Bean
	LoopbackHostFilter loopbackHostFilter(Environment environment) {
		return new LoopbackHostFilter(
				Binder.get(environment).bind("management.server.address", InetAddress.class).orElse(null));
	}

	@Bean
	PageResources pageResources() {
		return new PageResources();
	}

	@Bean
	ReportStream reportStream(LeafEndpoint endpoint, ClientActivity clients) {
		// The executors are not beans, because Spring Boot creates its own executor only
		// if there is no executor bean.
		return new ReportStream(endpoint::usedKeys, clients::report, scheduler(), senders(), Clock.systemUTC());
	}

	@Bean
	PageController pageController(ReportStream stream, LeafEndpoint endpoint) {
		return new PageController(stream, endpoint);
	}

	private static ScheduledExecutorService scheduler() {
		ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(1, daemons("leaf-report-"));
		scheduler.setRemoveOnCancelPolicy(true);
		return scheduler;
	}

	private static ExecutorService senders() {
		return new ThreadPoolExecutor(0, ReportStream.MAX_VIEWERS, 30, TimeUnit.SECONDS, new SynchronousQueue<>(),
				daemons("leaf-viewer-"));
	}

	private static ThreadFactory daemons(String prefix) {
		CustomizableThreadFactory factory = new CustomizableThreadFactory(prefix);
		factory.setDaemon(true);
		return factory;
	}

}
