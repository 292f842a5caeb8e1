// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import io.leaf.RecordingIdGenerator;
import io.leaf.autoconfigure.SpringBoot;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.assertj.core.api.Assertions;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * An application with an {@code EntityManagerFactory} as Spring Boot configures it, its
 * own database, and the entities of one test.
 */
final class JpaApplication {

	private final ApplicationContext context;

	private JpaApplication(ApplicationContext context) {
		this.context = context;
	}

	/**
	 * Returns a runner for an application without an {@code IdGenerator}.
	 */
	static ApplicationContextRunner runner(Class<?>... entities) {
		String[] names = Arrays.stream(entities).map(Class::getName).toArray(String[]::new);
		return new ApplicationContextRunner().withConfiguration(SpringBoot.jpa())
			.withPropertyValues("spring.jpa.hibernate.ddl-auto=create-drop")
			.withBean(PersistenceManagedTypes.class, () -> PersistenceManagedTypes.of(names))
			.withBean(StatementRecorder.class);
	}

	/**
	 * Runs an application with a {@link RecordingIdGenerator}.
	 */
	static void run(Class<?>[] entities, Consumer<JpaApplication> test, String... properties) {
		runner(entities).withBean(RecordingIdGenerator.class)
			.withPropertyValues(properties)
			.run((context) -> test.accept(of(context)));
	}

	static void run(Class<?> entity, Consumer<JpaApplication> test, String... properties) {
		run(new Class<?>[] { entity }, test, properties);
	}

	/**
	 * Wraps a context, which must have started.
	 */
	static JpaApplication of(ApplicationContext context) {
		Assertions.assertThat(context.getBean(EntityManagerFactory.class).isOpen()).isTrue();
		return new JpaApplication(context);
	}

	/**
	 * Runs the work in its own transaction.
	 */
	<T> T inTransaction(Function<EntityManager, T> work) {
		EntityManager entityManager = SharedEntityManagerCreator
			.createSharedEntityManager(this.context.getBean(EntityManagerFactory.class));
		return new TransactionTemplate(this.context.getBean(PlatformTransactionManager.class))
			.execute((status) -> work.apply(entityManager));
	}

	<T> T persist(T entity) {
		return inTransaction((entityManager) -> {
			entityManager.persist(entity);
			return entity;
		});
	}

	<T> T find(Class<T> type, Object id) {
		return inTransaction((entityManager) -> entityManager.find(type, id));
	}

	Map<String, Long> issued() {
		return this.context.getBean(RecordingIdGenerator.class).issued();
	}

	RecordingIdGenerator idGenerator() {
		return this.context.getBean(RecordingIdGenerator.class);
	}

	StatementRecorder statements() {
		return this.context.getBean(StatementRecorder.class);
	}

	<T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

}
