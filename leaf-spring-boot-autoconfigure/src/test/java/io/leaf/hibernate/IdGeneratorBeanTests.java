// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.IdSequence;
import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import io.leaf.UnknownKeyException;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import org.hibernate.annotations.GenericGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests when the {@link IdGenerator} bean is looked up, and the message if that fails.
 */
class IdGeneratorBeanTests {

	private final ApplicationContextRunner runner = JpaApplication.runner(Note.class, OtherNote.class);

	private ApplicationContextRunner withLazyBean(Supplier<RecordingIdGenerator> supplier) {
		return this.runner.withBean(RecordingIdGenerator.class, supplier, (definition) -> definition.setLazyInit(true));
	}

	@Test
	void beanIsCreatedAtFirstId() {
		AtomicInteger created = new AtomicInteger();
		withLazyBean(() -> {
			created.incrementAndGet();
			return new RecordingIdGenerator();
		}).run((context) -> {
			JpaApplication application = JpaApplication.of(context);
			assertThat(created).hasValue(0);
			application.persist(new Note(42L));
			assertThat(created).hasValue(0);
			application.persist(new Note(null));
			assertThat(created).hasValue(1);
			application.persist(new OtherNote());
			assertThat(created).hasValue(1);
			assertThat(application.idGenerator().sequences()).containsExactly("note", "other-note");
		});
	}

	@Test
	void beanIsNotUsedWhileEntityManagerFactoryIsBuilt() {
		this.runner.withBean(RecordingIdGenerator.class).run((context) -> {
			assertThat(JpaApplication.of(context).idGenerator().sequences()).isEmpty();
			assertThat(JpaApplication.of(context).issued()).isEmpty();
		});
	}

	@Test
	void missingBeanIsExplained() {
		this.runner.run((context) -> {
			JpaApplication application = JpaApplication.of(context);
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> application.persist(new Note(null)))
				.withMessage("Cannot issue an ID of key 'note': there is no bean of type io.leaf.IdGenerator, "
						+ "or there are several and none of them is primary. Set leaf.segment.enabled=true or "
						+ "leaf.snowflake.enabled=true, or declare one such bean; if there are several, mark one as "
						+ "@Primary");
		});
	}

	@Test
	void severalBeansAreExplained() {
		this.runner.withBean("one", RecordingIdGenerator.class)
			.withBean("two", RecordingIdGenerator.class)
			.run((context) -> {
				JpaApplication application = JpaApplication.of(context);
				assertThatExceptionOfType(IdGenerationException.class)
					.isThrownBy(() -> application.persist(new Note(null)))
					.withMessageContaining("'note'")
					.withMessageContaining("there are several and none of them is primary");
			});
	}

	@Test
	void primaryOfSeveralBeansIsUsed() {
		this.runner.withBean("one", RecordingIdGenerator.class)
			.withBean("two", RecordingIdGenerator.class, RecordingIdGenerator::new,
					(definition) -> definition.setPrimary(true))
			.run((context) -> {
				JpaApplication.of(context).persist(new Note(null));
				assertThat(context.getBean("one", RecordingIdGenerator.class).issued()).isEmpty();
				assertThat(context.getBean("two", RecordingIdGenerator.class).issued()).isEqualTo(Map.of("note", 1L));
			});
	}

	@Test
	void beanThatCannotBeCreatedIsExplained() {
		withLazyBean(() -> {
			throw new IllegalStateException("the store is down");
		}).run((context) -> {
			JpaApplication application = JpaApplication.of(context);
			assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> application.persist(new Note(null)))
				.withMessageContaining("'note'")
				.withMessageContaining("could not be created")
				.withStackTraceContaining("the store is down");
		});
	}

	@Test
	void beanThatAppearsLaterIsFound() {
		AtomicInteger attempts = new AtomicInteger();
		withLazyBean(() -> {
			if (attempts.incrementAndGet() == 1) {
				throw new IllegalStateException("the store is down");
			}
			return new RecordingIdGenerator();
		}).run((context) -> {
			JpaApplication application = JpaApplication.of(context);
			assertThatExceptionOfType(IdGenerationException.class)
				.isThrownBy(() -> application.persist(new Note(null)));
			assertThat(application.persist(new Note(null)).id).isEqualTo(1001L);
		});
	}

	@Test
	void missingBeanContainerIsExplained() {
		this.runner.withBean(RecordingIdGenerator.class)
			.withUserConfiguration(HandMadeEntityManagerFactory.class)
			.run((context) -> {
				JpaApplication application = JpaApplication.of(context);
				assertThatExceptionOfType(IdGenerationException.class)
					.isThrownBy(() -> application.persist(new Note(null)))
					.withMessage(
							"Cannot issue an ID of key 'note': this SessionFactory was built without Spring's bean "
									+ "container, so Hibernate cannot see the io.leaf.IdGenerator bean. Let Spring Boot configure "
									+ "the EntityManagerFactory, or set the JPA property 'hibernate.resource.beans.container' of "
									+ "your EntityManagerFactory to a SpringBeanContainer");
				assertThat(application.persist(new Note(42L)).id).isEqualTo(42L);
			});
	}

	@Test
	void failureToIssueReachesCaller() {
		IdGenerator idGenerator = mock();
		IdSequence sequence = mock();
		UnknownKeyException failure = new UnknownKeyException("note", "no such key");
		given(idGenerator.sequence("note")).willReturn(sequence);
		given(sequence.nextId()).willThrow(failure).willReturn(5L);
		this.runner.withBean(IdGenerator.class, () -> idGenerator).run((context) -> {
			JpaApplication application = JpaApplication.of(context);
			assertThatExceptionOfType(UnknownKeyException.class).isThrownBy(() -> application.persist(new Note(null)))
				.isSameAs(failure);
			assertThat(application.persist(new Note(null)).id).isEqualTo(5L);
		});
	}

	@Test
	void threadsThatRaceForTheFirstIdAllGetIds() {
		int threads = 8;
		this.runner.withBean(RecordingIdGenerator.class).run((context) -> {
			JpaApplication application = JpaApplication.of(context);
			CountDownLatch start = new CountDownLatch(1);
			ExecutorService executor = Executors.newFixedThreadPool(threads);
			try {
				var runs = IntStream.range(0, threads).<Future<?>>mapToObj((thread) -> executor.submit(() -> {
					start.await();
					for (int i = 0; i < 20; i++) {
						application.persist(new Note(null));
					}
					return null;
				})).toList();
				start.countDown();
				for (Future<?> run : runs) {
					run.get(1, TimeUnit.MINUTES);
				}
			}
			finally {
				executor.shutdownNow();
			}
			assertThat(application.issued()).isEqualTo(Map.of("note", 20L * threads));
			long rows = application
				.inTransaction((entityManager) -> entityManager.createQuery("select count(*) from Note", Long.class)
					.getSingleResult());
			assertThat(rows).isEqualTo(20L * threads);
			assertThat(application.idGenerator().sequences()).hasSizeBetween(1, threads);
		});
	}

	@Test
	void unsupportedTypeAbortsStartup() {
		JpaApplication.runner(UuidNote.class)
			.withBean(RecordingIdGenerator.class)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(IdGenerationException.class)
				.hasMessage("The id " + UuidNote.class.getName()
						+ ".number is of type java.util.UUID, but a Leaf ID needs java.lang.Long, long or "
						+ "java.lang.String. Change its type, or remove @LeafId"));
	}

	@Test
	void unsupportedTypeAbortsStartupWithGenericGenerator() {
		JpaApplication.runner(IntegerNote.class)
			.withBean(RecordingIdGenerator.class)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.isInstanceOf(IdGenerationException.class)
				.hasMessageStartingWith("The id ")
				.hasMessageContaining(IntegerNote.class.getName())
				.hasMessageContaining(
						"is of type java.lang.Integer, but a Leaf ID needs java.lang.Long, long or java.lang.String"));
	}

	@Configuration(proxyBeanMethods = false)
	static class HandMadeEntityManagerFactory {

		@Bean
		LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource,
				PersistenceManagedTypes managedTypes) {
			LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
			factory.setDataSource(dataSource);
			factory.setManagedTypes(managedTypes);
			factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
			factory.setJpaPropertyMap(Map.of("hibernate.hbm2ddl.auto", "create-drop"));
			return factory;
		}

	}

	@Entity(name = "Note")
	static class Note {

		@Id
		@LeafId("note")
		Long id;

		Note() {
		}

		Note(Long id) {
			this.id = id;
		}

	}

	@Entity
	static class OtherNote {

		@Id
		@LeafId("other-note")
		Long id;

	}

	@Entity
	static class UuidNote {

		@Id
		@LeafId
		UUID number;

	}

	@Entity
	@SuppressWarnings({ "deprecation", "removal" }) // works up to Hibernate 7
	static class IntegerNote {

		@Id
		@GeneratedValue(generator = "leaf")
		@GenericGenerator(name = "leaf", type = LeafIdentifierGenerator.class)
		Integer number;

	}

}
