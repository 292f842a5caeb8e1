// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Embedded.OnEmpty;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafId} on properties that are not the ID, with Spring Data JDBC and a
 * database.
 */
class AttributeLeafIdCallbackTests {

	@Test
	void severalPropertiesOfOneAggregateGetValues() {
		run((operations, generator) -> {
			Numbered saved = operations.save(new Numbered(null, null, 0, null, new Doc(null, "a"),
					List.of(new NumberedLine(null, "a"), new NumberedLine(7L, "b"))));
			assertThat(saved).isEqualTo(new Numbered(1001L, 1001L, 1001, "T-1001", new Doc(1001L, "a"),
					List.of(new NumberedLine(1001L, "a"), new NumberedLine(7L, "b"))));
			assertThat(operations.findById(1001L, Numbered.class)).isEqualTo(saved);
			assertThat(generator.issued())
				.isEqualTo(Map.of("numbered", 1L, "number", 1L, "primitive", 1L, "text", 1L, "doc", 1L, "line", 1L));
		});
	}

	@Test
	void updatesIssueValuesForNewEntitiesBelowTheRootOnly() {
		run((operations, generator) -> {
			operations.save(new Numbered(null, null, 0, null, null, List.of()));
			Numbered saved = operations
				.save(new Numbered(1001L, 42L, 0, null, new Doc(null, "b"), List.of(new NumberedLine(null, "a"))));
			assertThat(saved).isEqualTo(
					new Numbered(1001L, 42L, 0, null, new Doc(null, "b"), List.of(new NumberedLine(1001L, "a"))));
			assertThat(operations.findById(1001L, Numbered.class)).isEqualTo(saved);
		});
	}

	@Test
	void valuesSetByTheApplicationAreKept() {
		run((operations, generator) -> {
			Numbered saved = operations.save(new Numbered(null, 0L, 5, "mine", null, List.of()));
			assertThat(saved).isEqualTo(new Numbered(1001L, 0L, 5, "mine", null, List.of()));
			assertThat(generator.issued()).isEqualTo(Map.of("numbered", 1L));
		});
	}

	@Test
	void insertKeepsAnIdSetByTheApplication() {
		run((operations, generator) -> {
			Numbered saved = operations
				.insert(new Numbered(42L, null, 0, null, new Doc(null, "a"), List.of(new NumberedLine(null, "a"))));
			assertThat(saved).isEqualTo(new Numbered(42L, 1001L, 1001, "T-1001", new Doc(1001L, "a"),
					List.of(new NumberedLine(1001L, "a"))));
			assertThat(operations.findById(42L, Numbered.class)).isEqualTo(saved);
		});
	}

	@Test
	void severalRootsGetValues() {
		run((operations, generator) -> {
			List<Numbered> roots = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				roots.add(new Numbered(null, null, 0, null, null, List.of()));
			}
			assertThat(operations.saveAll(roots)).extracting(Numbered::number).containsExactly(1001L, 1002L, 1003L);
			assertThat(operations.findAll(Numbered.class)).extracting(Numbered::number)
				.containsExactlyInAnyOrder(1001L, 1002L, 1003L);
		});
	}

	@Test
	void entitiesAreCheckedAtStartup() {
		RelationalMappingContext context = new RelationalMappingContext();
		context.setInitialEntitySet(Set.of(WithoutKey.class));
		context.afterPropertiesSet();
		LeafIdCallback callback = new LeafIdCallback(List.of(context), RecordingIdGenerator::new, () -> null,
				() -> null);
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(callback::afterSingletonsInstantiated)
			.withMessageStartingWith("@LeafId on %s.number names no key", WithoutKey.class.getName());
	}

	private static void run(BiConsumer<JdbcAggregateOperations, RecordingIdGenerator> test) {
		LeafIdCallbackTests.runner()
			.withBean(RecordingIdGenerator.class, TextIds::new)
			.run((context) -> test.accept(context.getBean(JdbcAggregateOperations.class),
					context.getBean(RecordingIdGenerator.class)));
	}

	/**
	 * A generator that formats the IDs of all keys.
	 */
	static class TextIds extends RecordingIdGenerator {

		@Override
		public String nextText(String key) {
			return "T-" + nextId(key);
		}

	}

	record Numbered(@Id @LeafId Long id, @LeafId("number") Long number, @LeafId("primitive") long primitive,
			@LeafId("text") String text, @Embedded(onEmpty = OnEmpty.USE_NULL, prefix = "doc_") Doc doc,
			List<NumberedLine> lines) {
	}

	record Doc(@LeafId("doc") Long number, String title) {
	}

	record NumberedLine(@LeafId("line") Long number, String item) {
	}

	record WithoutKey(@Id Long id, @LeafId Long number) {
	}

}
