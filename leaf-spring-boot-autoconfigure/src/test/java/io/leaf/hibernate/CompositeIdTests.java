// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.leaf.LeafId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import org.hibernate.SessionFactory;
import org.hibernate.TransientObjectException;
import org.junit.jupiter.api.Test;

import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests IDs that consist of several attributes, one or more of them marked with
 * {@link LeafId}.
 */
@SuppressWarnings("serial")
class CompositeIdTests {

	@Test
	void partOfIdClassGetsAnId() {
		JpaApplication.run(TenantOrder.class, (application) -> {
			TenantOrder order = new TenantOrder("acme", null);
			application.persist(order);
			assertThat(order.id).isEqualTo(1001L);
			assertThat(application.find(TenantOrder.class, new TenantOrderId("acme", 1001L))).isNotNull();
			assertThat(application.issued()).isEqualTo(Map.of("tenant_order", 1L));
		});
	}

	@Test
	void zeroSetByTheApplicationIsKeptInPartOfIdClass() {
		JpaApplication.run(TenantOrder.class, (application) -> {
			assertThat(application.persist(new TenantOrder("acme", 0L)).id).isZero();
			assertThat(application.issued()).isEmpty();
		});
	}

	@Test
	void primitivePartOfIdClassGetsAnId() {
		JpaApplication.run(PrimitiveOrder.class, (application) -> {
			assertThat(application.persist(new PrimitiveOrder("acme", 0)).id).isEqualTo(1001);
			assertThat(application.persist(new PrimitiveOrder("acme", 42)).id).isEqualTo(42);
			assertThat(application.find(PrimitiveOrder.class, new PrimitiveOrderId("acme", 1001))).isNotNull();
		});
	}

	@Test
	void wrapperInEntityWithPrimitiveInIdClassGetsAnId() {
		JpaApplication.run(MixedOrder.class, (application) -> {
			assertThat(application.persist(new MixedOrder("acme", null)).id).isEqualTo(1001);
			assertThat(application.persist(new MixedOrder("acme", 42L)).id).isEqualTo(42);
		});
	}

	@Test
	void partOfEmbeddedIdGetsAnId() {
		JpaApplication.run(new Class<?>[] { TenantItem.class, TenantItemId.class }, (application) -> {
			TenantItem item = new TenantItem(new TenantItemId("acme", null));
			application.persist(item);
			assertThat(item.id.number).isEqualTo(1001L);
			TenantItem zero = new TenantItem(new TenantItemId("acme", 0L));
			assertThat(application.persist(zero).id.number).isZero();
			assertThat(application.issued()).isEqualTo(Map.of("item", 1L));
		});
	}

	@Test
	void primitivePartOfEmbeddedIdGetsAnId() {
		JpaApplication.run(new Class<?>[] { PrimitiveItem.class, PrimitiveItemId.class }, (application) -> {
			PrimitiveItem item = new PrimitiveItem();
			item.id.tenant = "acme";
			application.persist(item);
			assertThat(item.id.number).isEqualTo(1001);
			assertThat(application.find(PrimitiveItem.class, item.id)).isNotNull();
			assertThat(application.issued()).isEqualTo(Map.of("item", 1L));
		});
	}

	@Test
	void mergeSetsPrimitivePartOfEmbeddedId() {
		JpaApplication.run(new Class<?>[] { PrimitiveItem.class, PrimitiveItemId.class }, (application) -> {
			PrimitiveItem item = new PrimitiveItem();
			item.id.tenant = "acme";
			PrimitiveItem merged = application.inTransaction((entityManager) -> entityManager.merge(item));
			assertThat(merged.id.number).isEqualTo(1001);
		});
	}

	@Test
	void partsOfRecordAsEmbeddedIdGetIds() {
		JpaApplication.run(new Class<?>[] { RecordItem.class, RecordItemId.class }, (application) -> {
			RecordItem item = application.persist(new RecordItem(new RecordItemId("acme", 0, null)));
			assertThat(item.id).isEqualTo(new RecordItemId("acme", 1001, "1001"));
			assertThat(application.find(RecordItem.class, item.id)).isNotNull();
			assertThat(application.issued()).isEqualTo(Map.of("record-number", 1L, "record-code", 1L));
		});
	}

	@Test
	void severalPartsOfOneIdGetIds() {
		JpaApplication.run(new Class<?>[] { Pair.class, PairId.class }, (application) -> {
			Pair pair = new Pair();
			pair.id.b = 7;
			application.persist(pair);
			assertThat(pair.id.a).isEqualTo(1001);
			assertThat(pair.id.b).isEqualTo(7);
			assertThat(pair.id.c).isEqualTo("1001");
			assertThat(application.issued()).isEqualTo(Map.of("a", 1L, "c", 1L));
		});
	}

	@Test
	void embeddedIdWithGettersGetsAnId() {
		JpaApplication.run(new Class<?>[] { GetterItem.class, GetterItemId.class }, (application) -> {
			GetterItem item = new GetterItem();
			item.getId().setTenant("acme");
			application.persist(item);
			assertThat(item.getId().getNumber()).isEqualTo(1001);
		});
	}

	@Test
	void embeddedIdWithMappedSuperclassGetsAnId() {
		JpaApplication.run(new Class<?>[] { Inherited.class, InheritedId.class, NumberedId.class }, (application) -> {
			Inherited inherited = new Inherited();
			inherited.id.tenant = "acme";
			application.persist(inherited);
			assertThat(inherited.id.number).isEqualTo(1001);
			assertThat(application.issued()).isEqualTo(Map.of("inherited", 1L));
		});
	}

	@Test
	void embeddedIdOfOneAttributeGetsAnId() {
		JpaApplication.run(new Class<?>[] { Single.class, SingleId.class }, (application) -> {
			Single single = new Single();
			application.persist(single);
			assertThat(single.id.number).isEqualTo(1001);
		});
	}

	@Test
	void upsertWithoutPartOfIdIsRefused() {
		JpaApplication.run(new Class<?>[] { PrimitiveItem.class, PrimitiveItemId.class, TenantOrder.class },
				(application) -> {
					SessionFactory sessions = application.bean(EntityManagerFactory.class).unwrap(SessionFactory.class);
					PrimitiveItem item = new PrimitiveItem();
					item.id.tenant = "acme";
					assertThatExceptionOfType(TransientObjectException.class)
						.isThrownBy(() -> sessions.inStatelessTransaction((session) -> session.upsert(item)))
						.withMessageContaining(PrimitiveItem.class.getName() + ".number is not set");
					assertThatExceptionOfType(TransientObjectException.class)
						.isThrownBy(() -> sessions
							.inStatelessTransaction((session) -> session.upsert(new TenantOrder("acme", null))))
						.withMessageContaining(TenantOrder.class.getName() + ".id is not set");
					sessions.inStatelessTransaction((session) -> session.insertMultiple(List.of(item)));
					assertThat(item.id.number).isEqualTo(1001);
					sessions.inStatelessTransaction((session) -> session.upsertMultiple(List.of(item)));
					assertThat(application.issued()).isEqualTo(Map.of("item", 1L));
				});
	}

	@Test
	void mapsIdUsesTheIdOfTheReferencedEntity() {
		JpaApplication.run(new Class<?>[] { Account.class, Profile.class }, (application) -> {
			Profile profile = new Profile();
			profile.account = new Account();
			application.persist(profile);
			assertThat(profile.account.id).isEqualTo(1001);
			assertThat(profile.id).isEqualTo(1001);
			assertThat(application.issued()).isEqualTo(Map.of("account", 1L));
		});
	}

	@Test
	void mapsIdOfOnePartWorksWithAGeneratedPart() {
		JpaApplication.run(new Class<?>[] { Account.class, Entry.class, EntryId.class }, (application) -> {
			Entry entry = new Entry();
			entry.account = new Account();
			application.persist(entry);
			assertThat(entry.id.accountId).isEqualTo(1001);
			assertThat(entry.id.number).isEqualTo(1001);
			assertThat(application.issued()).isEqualTo(Map.of("account", 1L, "entry", 1L));
		});
	}

	/**
	 * An ID that equals another ID of the same class with the same values.
	 */
	abstract static class ComparedByFields implements Serializable {

		@Override
		public boolean equals(Object other) {
			return other != null && other.getClass() == getClass()
					&& values().equals(((ComparedByFields) other).values());
		}

		@Override
		public int hashCode() {
			return values().hashCode();
		}

		private List<Object> values() {
			List<Object> values = new ArrayList<>();
			ReflectionUtils.doWithFields(getClass(), (field) -> values.add(field.get(this)));
			return values;
		}

	}

	@Entity(name = "TenantOrder")
	@IdClass(TenantOrderId.class)
	static class TenantOrder {

		@Id
		String tenant;

		@Id
		@LeafId
		Long id;

		TenantOrder() {
		}

		TenantOrder(String tenant, Long id) {
			this.tenant = tenant;
			this.id = id;
		}

	}

	record TenantOrderId(String tenant, Long id) {
	}

	@Entity
	@IdClass(PrimitiveOrderId.class)
	static class PrimitiveOrder {

		@Id
		String tenant;

		@Id
		@LeafId("order")
		long id;

		PrimitiveOrder() {
		}

		PrimitiveOrder(String tenant, long id) {
			this.tenant = tenant;
			this.id = id;
		}

	}

	record PrimitiveOrderId(String tenant, long id) {
	}

	@Entity
	@IdClass(MixedOrderId.class)
	static class MixedOrder {

		@Id
		String tenant;

		@Id
		@LeafId("order")
		Long id;

		MixedOrder() {
		}

		MixedOrder(String tenant, Long id) {
			this.tenant = tenant;
			this.id = id;
		}

	}

	static class MixedOrderId extends ComparedByFields {

		String tenant;

		long id;

	}

	@Entity
	static class TenantItem {

		@EmbeddedId
		TenantItemId id;

		TenantItem() {
		}

		TenantItem(TenantItemId id) {
			this.id = id;
		}

	}

	@Embeddable
	static class TenantItemId extends ComparedByFields {

		String tenant;

		@LeafId("item")
		Long number;

		TenantItemId() {
		}

		TenantItemId(String tenant, Long number) {
			this.tenant = tenant;
			this.number = number;
		}

	}

	@Entity
	static class PrimitiveItem {

		@EmbeddedId
		PrimitiveItemId id = new PrimitiveItemId();

	}

	@Embeddable
	static class PrimitiveItemId extends ComparedByFields {

		String tenant;

		@LeafId("item")
		long number;

	}

	@Entity
	static class RecordItem {

		@EmbeddedId
		RecordItemId id;

		RecordItem() {
		}

		RecordItem(RecordItemId id) {
			this.id = id;
		}

	}

	@Embeddable
	record RecordItemId(String tenant, @LeafId("record-number") long number,
			@LeafId("record-code") String code) implements Serializable {
	}

	@Entity
	static class Pair {

		@EmbeddedId
		PairId id = new PairId();

	}

	@Embeddable
	static class PairId extends ComparedByFields {

		@LeafId("a")
		long a;

		@LeafId("b")
		long b;

		@LeafId("c")
		String c;

	}

	@Entity
	static class GetterItem {

		private GetterItemId id = new GetterItemId();

		@EmbeddedId
		GetterItemId getId() {
			return this.id;
		}

		void setId(GetterItemId id) {
			this.id = id;
		}

	}

	@Embeddable
	static class GetterItemId extends ComparedByFields {

		private String tenant;

		private long value;

		String getTenant() {
			return this.tenant;
		}

		void setTenant(String tenant) {
			this.tenant = tenant;
		}

		@LeafId("item")
		long getNumber() {
			return this.value;
		}

		void setNumber(long number) {
			this.value = number;
		}

	}

	@MappedSuperclass
	abstract static class NumberedId extends ComparedByFields {

		@LeafId("inherited")
		long number;

	}

	@Embeddable
	static class InheritedId extends NumberedId {

		String tenant;

	}

	@Entity
	static class Inherited {

		@EmbeddedId
		InheritedId id = new InheritedId();

	}

	@Entity
	static class Single {

		@EmbeddedId
		SingleId id = new SingleId();

	}

	@Embeddable
	static class SingleId extends ComparedByFields {

		@LeafId("single")
		long number;

	}

	@Entity
	static class Account {

		@Id
		@LeafId("account")
		Long id;

	}

	@Entity
	static class Profile {

		@Id
		Long id;

		@OneToOne(cascade = CascadeType.ALL)
		@MapsId
		Account account;

	}

	@Entity
	static class Entry {

		@EmbeddedId
		EntryId id = new EntryId();

		@ManyToOne(cascade = CascadeType.ALL)
		@MapsId("accountId")
		Account account;

	}

	@Embeddable
	static class EntryId extends ComparedByFields {

		Long accountId;

		@LeafId("entry")
		long number;

	}

}
