// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.segment;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.MemoryDatabase;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.snowflake.SnowflakeIdGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClosingOrder}: beans that request IDs while the context closes. They
 * run on each supported version of Spring.
 */
@ExtendWith(OutputCaptureExtension.class)
public class ClosingOrderTests {

	@AutoClose
	private final MemoryDatabase database = new MemoryDatabase().withRow("order", 500, 10);

	private final List<Long> drawn = new ArrayList<>();

	@TempDir
	private Path directory;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LeafSegmentAutoConfiguration.class,
				LeafSnowflakeAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class))
		.withBean("drawn", List.class, () -> this.drawn);

	private ApplicationContextRunner segments() {
		return this.contextRunner.withPropertyValues("leaf.segment.datasource.url=" + this.database.url(),
				"leaf.segment.datasource.username=" + MemoryDatabase.USERNAME);
	}

	@Test
	void beansCreatedBeforeAndAfterTheGeneratorDrawIdsWhileTheyAreDestroyed() {
		segments().withUserConfiguration(Users.class).run((context) -> context.getBean(IdGenerator.class));
		assertThat(this.drawn).containsExactly(500L, 501L, 502L, 503L);
		assertThat(this.database.maxId("order")).as("given back afterwards").isEqualTo(504);
		assertThat(this.database.otherSessions()).isZero();
	}

	@Test
	void snowflakeGeneratorClosesLast(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(Users.class)
			.withPropertyValues("leaf.segment.enabled=false", "leaf.snowflake.enabled=true",
					"leaf.snowflake.worker.source=file", "leaf.snowflake.worker.id=1", "leaf.name=orders",
					"leaf.snowflake.state-dir=" + this.directory)
			.run((context) -> context.getBean(SnowflakeIdGenerator.class));
		assertThat(this.drawn).hasSize(4).doesNotHaveDuplicates();
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void bothGeneratorsOnOneDatabaseReleaseTheirResources(CapturedOutput output) {
		segments().withUserConfiguration(Users.class)
			.withPropertyValues("leaf.snowflake.enabled=true", "leaf.snowflake.worker.source=jdbc",
					"leaf.segment.initialize-schema=always", "leaf.name=orders",
					"leaf.snowflake.state-dir=" + this.directory)
			.run((context) -> context.getBean(SnowflakeIdGenerator.class).nextId("payment"));
		assertThat(this.drawn).containsExactly(500L, 501L, 502L, 503L);
		assertThat(this.database.number("SELECT COUNT(*) FROM leaf_worker WHERE owner <> '' AND worker_id >= 0"))
			.as("leases that were not released")
			.isZero();
		assertThat(this.database.otherSessions()).isZero();
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void closesBeforeADataSourceThatItUsesDirectly() {
		this.contextRunner.withBean("dataSource", DataSource.class, () -> new ClosingDataSource(this.database.url()))
			.withUserConfiguration(UserOfADataSource.class)
			.withPropertyValues("leaf.segment.initialize-schema=never")
			.run((context) -> context.getBean(IdGenerator.class));
		assertThat(this.drawn).containsExactly(500L);
		assertThat(this.database.maxId("order")).as("given back afterwards").isEqualTo(501);
	}

	@Test
	void closesBeforeTheDependenciesOfTheDataSource() {
		this.contextRunner
			.withBean("tunnel", DisposableBean.class, () -> () -> this.drawn.add(this.database.maxId("order")))
			.withBean("dataSource", HikariDataSource.class, this::pool,
					(definition) -> definition.setDependsOn("tunnel"))
			.run((context) -> context.getBean(IdGenerator.class).nextId("order"));
		assertThat(this.drawn).as("max_id after unused numbers were given back").containsExactly(501L);
	}

	private HikariDataSource pool() {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(this.database.url());
		pool.setUsername(MemoryDatabase.USERNAME);
		return pool;
	}

	@Test
	void closesBeforeAnEmbeddedDatabase(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(Embedded.class, UserOfADataSource.class)
			.withPropertyValues("leaf.segment.auto-create.enabled=true")
			.run((context) -> context.getBean(IdGenerator.class));
		assertThat(this.drawn).containsExactly(1L);
		assertThat(output).doesNotContain("WARN");
	}

	@Test
	void closesBeforeDevToolsShutsDownAnInMemoryDatabase() {
		segments()
			.withBean("inMemoryDatabaseShutdownExecutor", DisposableBean.class,
					() -> () -> this.drawn.add(this.database.maxId("order")))
			.run((context) -> context.getBean(IdGenerator.class).nextId("order"));
		assertThat(this.drawn).as("max_id after unused numbers were given back").containsExactly(501L);
	}

	@Test
	void devToolsShutsDownAnInMemoryDatabaseAfterBeansThatDrawIdsAreDestroyed() {
		segments().withBean(LongSupplier.class, () -> () -> this.database.maxId("order"))
			.withUserConfiguration(Users.class, DevTools.class)
			.run((context) -> context.getBean(IdGenerator.class));
		assertThat(this.drawn).containsExactly(500L, 501L, 502L, 503L, 504L);
	}

	@Test
	void parentContextClosesAfterItsChild() {
		segments().run((parent) -> this.contextRunner.withParent(parent)
			.withPropertyValues("leaf.segment.enabled=false")
			.withUserConfiguration(Users.class)
			.run((child) -> assertThat(child).hasNotFailed()));
		assertThat(this.drawn).containsExactly(500L, 501L, 502L, 503L);
	}

	@Test
	void failedStartupClosesOpenedResources() {
		segments().withUserConfiguration(Users.class).withBean("failing", Object.class, () -> {
			throw new IllegalStateException("no such thing");
		}).run((context) -> assertThat(context).hasFailed());
		assertThat(this.database.otherSessions()).isZero();
	}

	/**
	 * A bean that looks up the generator each time, as the persistence integrations do.
	 */
	static class User implements DisposableBean {

		private final ObjectProvider<IdGenerator> generator;

		private final List<Long> drawn;

		User(ObjectProvider<IdGenerator> generator, List<Long> drawn) {
			this.generator = generator;
			this.drawn = drawn;
		}

		void draw() {
			this.drawn.add(this.generator.getObject().nextId("order"));
		}

		@Override
		public void destroy() {
			draw();
		}

	}

	static class Listener extends User implements SmartLifecycle {

		private boolean running;

		Listener(ObjectProvider<IdGenerator> generator, List<Long> drawn) {
			super(generator, drawn);
		}

		@EventListener(ContextClosedEvent.class)
		void closed() {
			draw();
		}

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			draw();
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public void destroy() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	public static class Users {

		@Bean
		User early(ObjectProvider<IdGenerator> generator, List<Long> drawn) {
			return new User(generator, drawn);
		}

		@Bean
		Listener listener(ObjectProvider<IdGenerator> generator, List<Long> drawn) {
			return new Listener(generator, drawn);
		}

		@Bean
		@DependsOn("leafIdGenerator")
		User late(ObjectProvider<IdGenerator> generator, List<Long> drawn) {
			return new User(generator, drawn);
		}

	}

	/**
	 * Its bean is created after all others, like that of an auto-configuration.
	 */
	@Configuration(proxyBeanMethods = false)
	static class DevTools {

		@Bean
		DisposableBean inMemoryDatabaseShutdownExecutor(LongSupplier maxId, List<Long> drawn) {
			return () -> drawn.add(maxId.getAsLong());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UserOfADataSource {

		@Bean
		User user(ObjectProvider<IdGenerator> generator, List<Long> drawn, DataSource dataSource) {
			return new User(generator, drawn);
		}

	}

	static final class ClosingDataSource extends DriverManagerDataSource implements AutoCloseable {

		private volatile boolean closed;

		ClosingDataSource(String url) {
			super(url, MemoryDatabase.USERNAME, "");
		}

		@Override
		public Connection getConnection() throws SQLException {
			if (this.closed) {
				throw new SQLException("closed");
			}
			return super.getConnection();
		}

		@Override
		public void close() {
			this.closed = true;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Embedded {

		@Bean
		EmbeddedDatabase dataSource() {
			return new EmbeddedDatabaseBuilder().generateUniqueName(true).setType(EmbeddedDatabaseType.H2).build();
		}

	}

}
