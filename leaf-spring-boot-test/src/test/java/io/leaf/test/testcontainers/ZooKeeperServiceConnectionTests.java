// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.testcontainers;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.snowflake.LeafZooKeeperConnectionDetails;
import io.leaf.snowflake.SnowflakeLayout;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.testcontainers.containers.GenericContainer;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsNotFoundException;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests an application that gets the address of ZooKeeper from a container.
 */
@SpringBootTest(classes = ZooKeeperServiceConnectionTests.Application.class,
		properties = { "leaf.snowflake.enabled=true", "leaf.segment.enabled=false",
				"leaf.snowflake.worker.source=zookeeper", "leaf.snowflake.state-dir=target/service-connection",
				"leaf.snowflake.zookeeper.connect-string=127.0.0.1:1",
				// the configuration of another application may be on the classpath
				"spring.config.name=none" })
@DirtiesContext
class ZooKeeperServiceConnectionTests {

	/**
	 * Not closed: the application is stopped after the last method of this class, and
	 * then releases its worker ID.
	 */
	private static final TestingServer server = start();

	@ServiceConnection
	static final StubContainer zooKeeper = new StubContainer("zookeeper:3.9", server.getPort());

	private static TestingServer start() {
		try {
			return new TestingServer();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void theWorkerIdComesFromTheContainer(@Autowired IdGenerator generator,
			@Autowired LeafZooKeeperConnectionDetails details) {
		assertThat(details.getConnectString()).isEqualTo("localhost:" + server.getPort());
		assertThat(SnowflakeLayout.LEAF.decode(generator.nextId("payment")).workerId()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(classes = { Bitnami.class, BitnamiLegacy.class, OtherRegistry.class, Named.class })
	void aContainerIsRecognizedByItsImageOrName(Class<?> testClass) {
		ApplicationContext context = new TestContextManager(testClass).getTestContext().getApplicationContext();
		assertThat(context.getBean(LeafZooKeeperConnectionDetails.class).getConnectString())
			.isEqualTo("localhost:4711");
	}

	@Test
	void anotherImageIsNotRecognized() {
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> new TestContextManager(Other.class).getTestContext().getApplicationContext())
			.withRootCauseInstanceOf(ConnectionDetailsNotFoundException.class);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@ContextConfiguration(classes = Empty.class)
	static class Bitnami {

		@ServiceConnection
		static final StubContainer zooKeeper = new StubContainer("bitnami/zookeeper:3.9", 4711);

	}

	@ContextConfiguration(classes = Empty.class)
	static class BitnamiLegacy {

		@ServiceConnection
		static final StubContainer zooKeeper = new StubContainer("bitnamilegacy/zookeeper", 4711);

	}

	@ContextConfiguration(classes = Empty.class)
	static class OtherRegistry {

		@ServiceConnection
		static final StubContainer zooKeeper = new StubContainer("example.com:5000/zookeeper:3.9", 4711);

	}

	@ContextConfiguration(classes = Empty.class)
	static class Named {

		@ServiceConnection(name = "zookeeper")
		static final StubContainer zooKeeper = new StubContainer("example.com/our-quorum", 4711);

	}

	@ContextConfiguration(classes = Empty.class)
	static class Other {

		@ServiceConnection
		static final StubContainer zooKeeper = new StubContainer("busybox", 4711);

	}

	@Configuration(proxyBeanMethods = false)
	static class Empty {

	}

	/**
	 * Behaves like a container whose only port, 2181, is mapped to a port of this
	 * machine. It starts no container, so Docker is not needed.
	 */
	static final class StubContainer extends GenericContainer<StubContainer> {

		private final String image;

		private final int port;

		StubContainer(String image, int port) {
			super(image);
			this.image = image;
			this.port = port;
		}

		@Override
		public void start() {
		}

		@Override
		public void stop() {
		}

		@Override
		public String getDockerImageName() {
			return this.image;
		}

		@Override
		public String getHost() {
			return "localhost";
		}

		@Override
		public Integer getMappedPort(int originalPort) {
			if (originalPort != 2181) {
				throw new IllegalArgumentException("Requested port (%d) is not mapped".formatted(originalPort));
			}
			return this.port;
		}

	}

}
