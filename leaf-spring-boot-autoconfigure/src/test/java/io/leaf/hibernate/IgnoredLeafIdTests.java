// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.io.Serializable;
import java.util.List;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that startup fails if {@link LeafId} is in a place for which Hibernate requests
 * no ID.
 */
class IgnoredLeafIdTests {

	@Test
	void onGetterIsRefusedIfIdIsOnField() {
		assertRefused("@LeafId on " + WrongSide.class.getName()
				+ ".getId has no effect: Hibernate requests values only "
				+ "for the attributes of an entity, of the embeddables directly in the entity and, since version 7, of the "
				+ "entity's @IdClass or @EmbeddedId, and only if the annotation is on the field or getter that Hibernate reads. Move @LeafId to such a field or "
				+ "getter, or remove it", WrongSide.class);
	}

	@Test
	void onGetterOfAnotherAttributeIsRefusedIfIdIsOnField() {
		assertRefused("@LeafId on " + WrongSideOfAttribute.class.getName() + ".getNumber has no effect",
				WrongSideOfAttribute.class);
	}

	@Test
	void inEmbeddableWithinEmbeddableIsRefused() {
		assertRefused("@LeafId on " + Details.class.getName() + ".number has no effect", WithDetails.class,
				DetailsWithin.class, Details.class);
	}

	@Test
	void inElementOfCollectionIsRefused() {
		assertRefused(Details.class.getName() + ".number has no effect", WithCollection.class, Details.class);
	}

	@Test
	void onWholeEmbeddedIdIsRefused() {
		assertRefused("The id " + WholeId.class.getName() + ".id " + (LeafIdentifierGenerator.HIBERNATE_6
				? "is part of a composite ID, for which Hibernate 6 calls no generator. Use Hibernate 7"
				: "has several attributes, but @LeafId issues one number. Put @LeafId on the attribute that holds the number"),
				WholeId.class, Details.class);
	}

	@Test
	void inEmbeddableWithinEmbeddedIdIsRefused() {
		JpaApplication.runner(Nested.class, NestedId.class, Details.class)
			.withBean(RecordingIdGenerator.class)
			.run((context) -> assertThat(context).hasFailed());
	}

	@Test
	void mapsIdMayOverrideMappedSuperclass() {
		JpaApplication.run(new Class<?>[] { Base.class, Account.class, Profile.class }, (application) -> {
			Profile profile = new Profile();
			profile.account = new Account();
			application.persist(profile);
			assertThat(profile.id).isEqualTo(profile.account.id).isEqualTo(1001);
		});
	}

	private static void assertRefused(String message, Class<?>... entities) {
		JpaApplication.runner(entities)
			.withBean(RecordingIdGenerator.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(IdGenerationException.class)
				.hasMessageContaining(message));
	}

	@Entity
	static class WrongSide {

		@Id
		long id;

		@LeafId("wrong")
		long getId() {
			return this.id;
		}

	}

	@Entity
	static class WrongSideOfAttribute {

		@Id
		Long id;

		long number;

		@LeafId("wrong")
		long getNumber() {
			return this.number;
		}

	}

	@Entity
	static class WithDetails {

		@Id
		Long id;

		@Embedded
		DetailsWithin details;

	}

	@Embeddable
	static class DetailsWithin {

		@Embedded
		Details details;

	}

	@Entity
	static class WithCollection {

		@Id
		Long id;

		@ElementCollection
		List<Details> details;

	}

	@Embeddable
	static class Details implements Serializable {

		private static final long serialVersionUID = 1L;

		@LeafId("details")
		long number;

	}

	@Entity
	static class WholeId {

		@EmbeddedId
		@LeafId("whole")
		Details id;

	}

	@Entity
	static class Nested {

		@EmbeddedId
		NestedId id = new NestedId();

	}

	@Embeddable
	static class NestedId implements Serializable {

		private static final long serialVersionUID = 1L;

		String tenant;

		@Embedded
		Details details = new Details();

	}

	@MappedSuperclass
	abstract static class Base {

		@Id
		@LeafId
		Long id;

	}

	@Entity
	static class Account extends Base {

	}

	@Entity
	static class Profile extends Base {

		@OneToOne(cascade = CascadeType.ALL)
		@MapsId
		Account account;

	}

}
