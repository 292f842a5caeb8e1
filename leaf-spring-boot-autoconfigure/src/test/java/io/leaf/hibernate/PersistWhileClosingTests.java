// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.util.ArrayList;
import java.util.List;

import io.leaf.LeafId;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a bean that persists an entity while it is destroyed, such as one that records
 * the end of a process.
 */
class PersistWhileClosingTests {

	private final List<Long> persisted = new ArrayList<>();

	@Test
	void idsAreIssuedUntilTheEntityManagerFactoryCloses() {
		JpaApplication.runner(Note.class)
			.withConfiguration(
					AutoConfigurations.of(LeafSegmentAutoConfiguration.class, LeafIdGeneratorAutoConfiguration.class))
			.withPropertyValues("leaf.segment.auto-create.enabled=true")
			.withBean("persisted", List.class, () -> this.persisted)
			.withUserConfiguration(Users.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.persisted).containsExactly(1L);
	}

	@Configuration(proxyBeanMethods = false)
	static class Users {

		@Bean
		DisposableBean user(EntityManagerFactory factory, List<Long> persisted) {
			return () -> {
				try (EntityManager entityManager = factory.createEntityManager()) {
					Note note = new Note();
					entityManager.getTransaction().begin();
					entityManager.persist(note);
					entityManager.getTransaction().commit();
					persisted.add(note.id);
				}
			};
		}

	}

	@Entity
	static class Note {

		@Id
		@LeafId("note")
		Long id;

	}

}
