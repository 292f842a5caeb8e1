// SPDX-License-Identifier: Apache-2.0

package io.leaf.integrations.jooq;

import java.util.List;
import java.util.stream.Stream;

import io.leaf.IdGenerator;
import org.jooq.DSLContext;
import org.jooq.RecordListener;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jooq.autoconfigure.DefaultConfigurationCustomizer;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataIntegrityViolationException;

import static io.leaf.integrations.jooq.Orders.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of an application that saves records with jOOQ.
 */
@SpringBootTest(properties = "spring.config.location=classpath:io/leaf/integrations/jooq/")
class JooqApplicationTests {

	@Autowired
	private DSLContext sql;

	@Autowired
	private IdGenerator ids;

	@Test
	void recordsGetIdsWhenTheyAreInserted() {
		OrdersRecord stored = order("tea");
		OrdersRecord inserted = order("coffee");
		List<OrdersRecord> batch = List.of(order("milk"), order("sugar"));
		List<OrdersRecord> storedBatch = List.of(order("cups"), order("spoons"));
		stored.store();
		inserted.insert();
		this.sql.batchInsert(batch).execute();
		this.sql.batchStore(storedBatch).execute();
		List<Long> set = Stream.of(List.of(stored, inserted), batch, storedBatch)
			.flatMap(List::stream)
			.map(OrdersRecord::getId)
			.toList();
		assertThat(set).doesNotContainNull().doesNotHaveDuplicates();
		assertThat(saved()).containsAll(set);
	}

	@Test
	void anIdThatIsSetIsKept() {
		OrdersRecord order = order("tea");
		order.setId(-1L);
		order.store();
		assertThat(saved()).contains(-1L);
		order.setItem("coffee");
		order.store();
		assertThat(order.getId()).isEqualTo(-1);
	}

	@Test
	void aStatementWithoutARecordNeedsAnExplicitId() {
		assertThatExceptionOfType(DataIntegrityViolationException.class)
			.isThrownBy(() -> this.sql.insertInto(ORDERS).set(ORDERS.ITEM, "tea").execute());
		// from docs/integrations.md
		long id = this.ids.nextId("order");
		this.sql.insertInto(ORDERS).set(ORDERS.ID, id).set(ORDERS.ITEM, "tea").execute();
		// end of docs/integrations.md
		assertThat(saved()).contains(id);
	}

	private OrdersRecord order(String item) {
		OrdersRecord order = this.sql.newRecord(ORDERS);
		order.setItem(item);
		return order;
	}

	private List<Long> saved() {
		return this.sql.select(ORDERS.ID).from(ORDERS).fetch(ORDERS.ID);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class JooqApplication {

		// from docs/integrations.md
		@Bean
		DefaultConfigurationCustomizer leafIds(IdGenerator ids) {
			return (configuration) -> configuration.setAppending(RecordListener.onInsertStart((context) -> {
				if (context.record() instanceof OrdersRecord order && order.getId() == null) {
					order.setId(ids.nextId("order"));
				}
			}));
		}
		// end of docs/integrations.md

	}

}
