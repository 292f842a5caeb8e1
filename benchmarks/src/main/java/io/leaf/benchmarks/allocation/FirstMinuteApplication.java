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

import io.leaf.benchmarks.report.Threads;
import io.leaf.benchmarks.startup.ChildJvm;
import io.leaf.benchmarks.startup.Samples;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application with the library that draws from several keys at a fixed rate, one
 * thread for each key.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class FirstMinuteApplication {

	/**
	 * How many IDs per second are due of a key.
	 */
	static final int RATE = 20_000;

	/**
	 * After how many seconds the buffers are looked at.
	 */
	static final List<Integer> LOOKS = List.of(1, 5, 15, 30, 60);

	/**
	 * For how long a counter is drawn from, which shows what the machine contributes, and
	 * then other keys, for the compiler.
	 */
	private static final Duration WARM_UP = Duration.ofSeconds(3);

	/**
	 * For how long threads gather.
	 */
	private static final Duration GATHERING = Duration.ofMillis(100);

	/**
	 * Starts, draws, tells what has become of the calls, and ends.
	 * @param args how many keys, for how long, then Spring Boot's properties
	 * @throws Exception if IDs were not ascending
	 */
	public static void main(String[] args) throws Exception {
		int keys = Integer.parseInt(args[0]);
		Duration duration = Duration.parse(args[1]);
		try (ConfigurableApplicationContext context = SpringApplication.run(FirstMinuteApplication.class, args)) {
			SegmentIdGenerator generator = context.getBean(SegmentIdGenerator.class);
			tell("counter", draw(keys, WARM_UP, (key) -> new AtomicLong()::getAndIncrement, (from) -> {
			}));
			draw(keys, WARM_UP, (key) -> generator.sequence("warm-" + key)::nextId, (from) -> {
			});
			tell("keys", draw(keys, duration, (key) -> generator.sequence("hot-" + key)::nextId,
					(from) -> look(generator, keys, from, duration)));
		}
	}

	/**
	 * Draws with a thread for each key.
	 * @param sources what a thread draws from, by the number of its key
	 * @param observer what another thread does meanwhile, given when the first call is
	 * due
	 */
	private static Arrivals draw(int keys, Duration duration, IntFunction<LongSupplier> sources, LongConsumer observer)
			throws Exception {
		long from = System.nanoTime() + GATHERING.toNanos();
		return Arrivals.sum(Threads.run(keys + 1, (key) -> {
			if (key == keys) {
				observer.accept(from);
				return new Arrivals();
			}
			return new Pacer(RATE).run(sources.apply(key), from, duration.toNanos());
		}));
	}

	private static void look(SegmentIdGenerator generator, int keys, long from, Duration duration) {
		for (int seconds : LOOKS) {
			if (seconds > duration.toSeconds()) {
				return;
			}
			long time = from + TimeUnit.SECONDS.toNanos(seconds);
			for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
				LockSupport.parkNanos(left);
			}
			double[] covered = IntStream.range(0, keys)
				.mapToDouble((key) -> (double) left(generator.status("hot-" + key)) / RATE)
				.toArray();
			ChildJvm.tell("least-" + seconds, Samples.quantile(0, covered));
			ChildJvm.tell("median-" + seconds, Samples.median(covered));
		}
	}

	private static long left(@Nullable SegmentStatus status) {
		if (status == null) {
			throw new IllegalStateException("There is no row");
		}
		long current = (status.current() != null) ? status.current().remaining() : 0;
		return current + ((status.next() != null) ? status.next().to() - status.next().from() : 0);
	}

	private static void tell(String name, Arrivals arrivals) {
		ChildJvm.tell(name + "-calls", arrivals.calls());
		ChildJvm.tell(name + "-late", arrivals.latePercent());
		ChildJvm.tell(name + "-failed", arrivals.failed());
		ChildJvm.tell(name + "-longest", arrivals.longestSeconds());
	}

}
