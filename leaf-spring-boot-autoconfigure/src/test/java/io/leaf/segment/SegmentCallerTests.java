// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;

import io.leaf.IdSequence;
import io.leaf.UnknownKeyException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that a caller only submits tasks to the executor.
 */
class SegmentCallerTests {

	private final Map<Thread, Set<String>> methods = new ConcurrentHashMap<>();

	private final SegmentThreads threads = new SegmentThreads();

	private final ScheduledExecutorService watched = (ScheduledExecutorService) Proxy.newProxyInstance(
			SegmentCallerTests.class.getClassLoader(), new Class<?>[] { ScheduledExecutorService.class },
			(proxy, method, arguments) -> {
				this.methods.computeIfAbsent(Thread.currentThread(), (user) -> ConcurrentHashMap.newKeySet())
					.add(method.getName());
				try {
					return method.invoke(this.threads, arguments);
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			});

	private final InMemorySegmentStore store = new InMemorySegmentStore();

	@Test
	void aCallerOnlySubmitsTasksWhateverItHasToWaitFor() {
		this.store.put("order", 1, 10);
		try (SegmentIdGenerator generator = new SegmentIdGenerator(this.store, TestSettings.DEFAULTS,
				new SegmentEnvironment(this.watched, InstantSource.system(), System::nanoTime, SegmentEnvironment::park,
						new Random(1)))) {
			generator.start();
			assertThat(this.methods.get(Thread.currentThread())).as("the proxy works")
				.contains("scheduleWithFixedDelay");
			this.methods.clear();
			// includes prefetch marks, ends of segments, and waits for new segments
			IntStream.range(0, 10_000).forEach((i) -> generator.nextId("order"));
			generator.nextIds("order", 5000);
			this.store.put("late", 1, 10);
			IdSequence late = generator.sequence("late");
			assertThat(late.nextId()).isEqualTo(1);
			assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> generator.nextId("unknown"));
			assertThat(this.methods.get(Thread.currentThread())).containsOnly("execute");
		}
	}

}
