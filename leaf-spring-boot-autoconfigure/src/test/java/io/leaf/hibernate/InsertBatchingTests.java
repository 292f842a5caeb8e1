// SPDX-License-Identifier: Apache-2.0

package io.leaf.hibernate;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.leaf.LeafId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.junit.jupiter.api.Test;

import org.springframework.data.jpa.repository.support.SimpleJpaRepository;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that inserts are batched as with assigned IDs.
 */
class InsertBatchingTests {

	@Test
	void thousandEntitiesTakeThousandIdsAndTwentyBatches() {
		JpaApplication.run(Item.class, (application) -> {
			application.statements().clear();
			List<Item> items = Stream.generate(Item::new).limit(1000).toList();
			application
				.inTransaction((entityManager) -> new SimpleJpaRepository<>(Item.class, entityManager).saveAll(items));
			assertThat(application.statements().executions()).hasSize(20).allSatisfy((execution) -> {
				assertThat(execution.sql()).startsWith("insert into ");
				assertThat(execution.batchSize()).isEqualTo(50);
			});
			assertThat(application.issued()).isEqualTo(Map.of("item", 1000L));
			assertThat(items).extracting((item) -> item.id)
				.containsExactlyElementsOf(LongStream.rangeClosed(1001, 2000).boxed().toList());
		}, "spring.jpa.properties.hibernate.jdbc.batch_size=50");
	}

	@Test
	void recorderCountsStatementsOutsideBatches() {
		// this ensures that the test above would fail without batching
		JpaApplication.run(Item.class, (application) -> {
			application.statements().clear();
			application.inTransaction((entityManager) -> {
				IntStream.range(0, 10).forEach((i) -> entityManager.persist(new Item()));
				return null;
			});
			assertThat(application.statements().executions()).hasSize(10)
				.allSatisfy((execution) -> assertThat(execution.batchSize()).isZero());
		});
	}

	@Entity
	static class Item {

		@Id
		@LeafId("item")
		Long id;

	}

}
