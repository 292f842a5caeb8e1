// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.webflux;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import io.leaf.segment.SegmentStore;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.core.publisher.Mono;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Runs the applications in a process in which BlockHound monitors the event loops. A call
 * of the library that blocks an event loop is recorded and fails. Only the test uses the
 * endpoints of this class.
 */
@RestController
public class BlockHoundProcess {

	private static final Queue<String> blockingCalls = new ConcurrentLinkedQueue<>();

	private static volatile CountDownLatch responses = new CountDownLatch(0);

	private final DatabaseClient database;

	BlockHoundProcess(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Starts an application for each profile.
	 * @param profiles the profiles
	 */
	public static void main(String[] profiles) {
		BlockHound.install((builder) -> builder.blockingMethodCallback((method) -> {
			BlockingOperationError error = new BlockingOperationError(method);
			// other blocking calls, such as those of logging, are allowed: if they
			// failed, the client would get no response
			if (Stream.of(error.getStackTrace()).noneMatch(BlockHoundProcess::isInTheLibrary)) {
				return;
			}
			StringWriter trace = new StringWriter();
			error.printStackTrace(new PrintWriter(trace));
			blockingCalls.add(Thread.currentThread().getName() + ": " + trace);
			throw error;
		}));
		for (String profile : profiles) {
			new SpringApplication(WebFluxApplication.class, BlockHoundProcess.class, SlowDatabase.class).run(
					"--spring.config.location=classpath:io/leaf/application/webflux/application.yaml",
					"--spring.profiles.active=" + profile);
		}
	}

	private static boolean isInTheLibrary(StackTraceElement frame) {
		return frame.getClassName().startsWith("io.leaf.") && !frame.getClassName().startsWith("io.leaf.application.");
	}

	/**
	 * Delays all responses of the database to Leaf from now on, or ends the delay.
	 */
	@PostMapping("/slow")
	void slow(@RequestParam boolean slow) {
		responses.countDown();
		responses = new CountDownLatch(slow ? 1 : 0);
	}

	@GetMapping("/blocking-calls")
	List<String> blockingCalls() {
		return List.copyOf(blockingCalls);
	}

	@DeleteMapping("/blocking-calls")
	void clearBlockingCalls() {
		blockingCalls.clear();
	}

	@PostMapping("/number")
	Mono<Long> number(@RequestBody String query) {
		return this.database.sql(query).map((row) -> row.get(0, Long.class)).one();
	}

	@PostMapping("/update")
	Mono<Long> update(@RequestBody String statement) {
		return this.database.sql(statement).fetch().rowsUpdated();
	}

	/**
	 * Delays the calls of the store. Without the delay, a call could complete before the
	 * caller starts to wait.
	 */
	static class SlowDatabase implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String beanName) {
			return (bean instanceof SegmentStore) ? Proxy.newProxyInstance(SegmentStore.class.getClassLoader(),
					new Class<?>[] { SegmentStore.class }, (proxy, method, arguments) -> {
						responses.await();
						return AopUtils.invokeJoinpointUsingReflection(bean, method, arguments);
					}) : bean;
		}

	}

	/**
	 * A shop on WebFlux and R2DBC.
	 */
	@SpringBootApplication
	static class WebFluxApplication {

	}

}
