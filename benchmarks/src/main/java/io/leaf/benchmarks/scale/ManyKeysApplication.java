// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.scale;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.IdSequence;
import io.leaf.benchmarks.startup.ChildJvm;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStatus;
import org.h2.jdbcx.JdbcDataSource;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/**
 * An application with the library and many keys, whose database calls are counted.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class ManyKeysApplication {

	/**
	 * The step of the rows.
	 */
	static final int STEP = 1000;

	private static final long ADAPTED_IDS = 50_000_000;

	private static final long IDLE_SECONDS = 121;

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	@Bean
	DatabaseCalls databaseCalls() {
		return new DatabaseCalls();
	}

	// the library derives its private pool from this one: its calls are counted as well
	@Bean
	HikariDataSource dataSource(DatabaseCalls calls, @Value("${url}") String url) {
		JdbcDataSource database = new JdbcDataSource();
		database.setURL(url);
		database.setUser("sa");
		HikariDataSource pool = new HikariDataSource();
		pool.setDataSource(calls.of(database));
		return pool;
	}

	/**
	 * Starts the application and runs a task.
	 * @param args the task, then the properties of Spring Boot
	 */
	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(ManyKeysApplication.class);
		application.addListeners((ApplicationReadyEvent event) -> ChildJvm.reportTimes("ready"));
		try (ConfigurableApplicationContext context = application.run(args)) {
			SegmentIdGenerator generator = context.getBean(SegmentIdGenerator.class);
			DatabaseCalls calls = context.getBean(DatabaseCalls.class);
			switch (args[0]) {
				case "start" -> ChildJvm.report("keys", generator.status().size());
				case "preload" -> preload(generator);
				case "memory" -> memory(generator);
				case "idle" -> idle(calls);
				case "adapt" -> adapt(generator, calls);
				default -> throw new IllegalArgumentException(args[0]);
			}
		}
	}

	private static void preload(SegmentIdGenerator generator) {
		await(generator, (status) -> status.current() != null);
		ChildJvm.reportTimes("preloaded");
		ChildJvm.report("keys", generator.status().size());
	}

	private static void memory(SegmentIdGenerator generator) {
		List<String> keys = List.copyOf(generator.status().keySet());
		ChildJvm.report("keys", keys.size());
		ChildJvm.report("known", usedHeap());
		keys.forEach(generator::nextId);
		ChildJvm.report("segment", usedHeap());
		keys.forEach((key) -> generator.nextIds(key, STEP / 2));
		await(generator, (status) -> status.next() != null);
		ChildJvm.report("prefetched", usedHeap());
	}

	private static long usedHeap() {
		Runtime runtime = Runtime.getRuntime();
		for (int i = 0; i < 3; i++) {
			System.gc();
		}
		return runtime.totalMemory() - runtime.freeMemory();
	}

	private static void idle(DatabaseCalls calls) {
		Map<String, Long> before = calls.counts();
		LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(IDLE_SECONDS));
		calls.counts().forEach((kind, count) -> ChildJvm.report(kind, count - before.getOrDefault(kind, 0L)));
		ChildJvm.report("threads", threads("leaf-segment-.*"));
		ChildJvm.report("pool-threads", threads("leaf-segment[: ].*"));
	}

	private static long threads(String name) {
		return Thread.getAllStackTraces().keySet().stream().filter((thread) -> thread.getName().matches(name)).count();
	}

	private static void adapt(SegmentIdGenerator generator, DatabaseCalls calls) {
		IdSequence sequence = generator.sequence("key-1");
		long last = 0;
		while (status(generator).step() < 1_000_000) {
			last = next(sequence, last);
		}
		long fetches = status(generator).fetches();
		long statements = calls.count("queries") + calls.count("updates");
		for (long i = 0; i < ADAPTED_IDS; i++) {
			last = next(sequence, last);
		}
		ChildJvm.report("ids", ADAPTED_IDS);
		ChildJvm.report("fetches", status(generator).fetches() - fetches);
		ChildJvm.report("statements", calls.count("queries") + calls.count("updates") - statements);
		ChildJvm.report("waits", status(generator).waits());
	}

	private static SegmentStatus status(SegmentIdGenerator generator) {
		SegmentStatus status = generator.status("key-1");
		if (status == null) {
			throw new IllegalStateException("The key has no row");
		}
		return status;
	}

	private static long next(IdSequence sequence, long last) {
		long id = sequence.nextId();
		if (id <= last) {
			throw new IllegalStateException("ID %d was issued after ID %d".formatted(id, last));
		}
		return id;
	}

	private static void await(SegmentIdGenerator generator, Predicate<SegmentStatus> condition) {
		long start = System.nanoTime();
		while (!generator.status().values().stream().allMatch(condition)) {
			if (System.nanoTime() - start > TIMEOUT.toNanos()) {
				throw new IllegalStateException("Not all keys have their segments after " + TIMEOUT);
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
	}

}
