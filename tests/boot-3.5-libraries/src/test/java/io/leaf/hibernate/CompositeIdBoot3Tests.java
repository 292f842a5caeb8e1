// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.io.Serializable;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that startup fails on Hibernate 6 if a part of a composite ID has {@link LeafId}.
 */
class CompositeIdBoot3Tests {

	@Test
	void partOfIdClassIsRefused() {
		assertRefused("The id " + OrderLine.class.getName() + ".id is part of a composite ID, for which Hibernate 6 "
				+ "calls no generator. Use Hibernate 7 (Spring Boot 4), or remove @LeafId and set the ID before you "
				+ "save the entity", OrderLine.class);
	}

	@Test
	void partOfEmbeddedIdIsRefused() {
		assertRefused("is part of a composite ID, for which Hibernate 6 calls no generator", Item.class, ItemId.class);
	}

	@Test
	void compositeIdsWithoutLeafIdWork() {
		JpaApplication.run(new Class<?>[] { PlainItem.class, PlainItemId.class }, (application) -> {
			PlainItem item = new PlainItem();
			item.id = new PlainItemId("acme", 0);
			application.persist(item);
			assertThat(application.find(PlainItem.class, item.id)).isNotNull();
		});
	}

	private static void assertRefused(String message, Class<?>... classes) {
		JpaApplication.runner(classes)
			.withBean(RecordingIdGenerator.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(IdGenerationException.class)
				.hasMessageContaining(message));
	}

	@Entity
	@IdClass(OrderLineId.class)
	static class OrderLine {

		@Id
		String tenant;

		@Id
		@LeafId("line")
		long id;

	}

	record OrderLineId(String tenant, long id) {
	}

	@Entity
	static class Item {

		@EmbeddedId
		ItemId id;

	}

	@Embeddable
	record ItemId(String tenant, @LeafId("item") long number) implements Serializable {
	}

	@Entity
	static class PlainItem {

		@EmbeddedId
		PlainItemId id;

	}

	@Embeddable
	record PlainItemId(String tenant, long number) implements Serializable {
	}

}
