// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import io.leaf.benchmarks.Spread;
import io.leaf.benchmarks.Threads;
import io.leaf.benchmarks.startup.ChildJvm;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application with the library that draws IDs of several keys at a fixed rate, with
 * one thread per key.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class FirstMinuteApplication {

	/**
	 * How many IDs of each key are due per second.
	 */
	static final int RATE = 20_000;

	/**
	 * The seconds after which the content of the buffers is measured.
	 */
	static final List<Integer> OBSERVED_SECONDS = List.of(1, 5, 15, 30, 60);

	/**
	 * How long the threads draw from a counter, which shows the influence of the machine,
	 * and then from other keys, as the warm-up of the compiler.
	 */
	private static final Duration WARM_UP = Duration.ofSeconds(3);

	/**
	 * The time in which all threads start.
	 */
	private static final Duration START_DELAY = Duration.ofMillis(100);

	/**
	 * Starts the application, draws IDs, reports the outcome and stops the application.
	 * @param args the number of keys, the duration, then the properties of Spring Boot
	 * @throws Exception if IDs were not ascending
	 */
	public static void main(String[] args) throws Exception {
		int keys = Integer.parseInt(args[0]);
		Duration duration = Duration.parse(args[1]);
		try (ConfigurableApplicationContext context = SpringApplication.run(FirstMinuteApplication.class, args)) {
			SegmentIdGenerator generator = context.getBean(SegmentIdGenerator.class);
			report("counter", draw(keys, WARM_UP, (key) -> new AtomicLong()::getAndIncrement, (from) -> {
			}));
			draw(keys, WARM_UP, (key) -> generator.sequence("warm-" + key)::nextId, (from) -> {
			});
			report("keys", draw(keys, duration, (key) -> generator.sequence("hot-" + key)::nextId,
					(from) -> observe(generator, keys, from, duration)));
		}
	}

	/**
	 * Draws IDs with one thread per key.
	 * @param sources the source of IDs by the number of the key
	 * @param observer run by another thread during this time; its argument is the
	 * {@link System#nanoTime()} at which the first call is due
	 */
	private static CallTimes draw(int keys, Duration duration, IntFunction<LongSupplier> sources, LongConsumer observer)
			throws Exception {
		long from = System.nanoTime() + START_DELAY.toNanos();
		return CallTimes.sum(Threads.run(keys + 1, (key) -> {
			if (key == keys) {
				observer.accept(from);
				return new CallTimes();
			}
			return new FixedRateCaller(RATE).run(sources.apply(key), from, duration.toNanos());
		}));
	}

	private static void observe(SegmentIdGenerator generator, int keys, long from, Duration duration) {
		for (int seconds : OBSERVED_SECONDS) {
			if (seconds > duration.toSeconds()) {
				return;
			}
			long time = from + TimeUnit.SECONDS.toNanos(seconds);
			for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
				LockSupport.parkNanos(left);
			}
			Spread covered = Spread.of(IntStream.range(0, keys)
				.mapToObj((key) -> (double) buffered(generator.status("hot-" + key)) / RATE)
				.toList());
			ChildJvm.report("minimum-" + seconds, covered.quantile(0));
			ChildJvm.report("median-" + seconds, covered.median());
		}
	}

	private static long buffered(@Nullable SegmentStatus status) {
		if (status == null) {
			throw new IllegalStateException("The key has no row");
		}
		long current = (status.current() != null) ? status.current().remaining() : 0;
		return current + ((status.next() != null) ? status.next().to() - status.next().from() : 0);
	}

	private static void report(String name, CallTimes calls) {
		ChildJvm.report(name + "-calls", calls.calls());
		ChildJvm.report(name + "-late", calls.latePercent());
		ChildJvm.report(name + "-failed", calls.failed());
		ChildJvm.report(name + "-longest", calls.longestSeconds());
	}

}
