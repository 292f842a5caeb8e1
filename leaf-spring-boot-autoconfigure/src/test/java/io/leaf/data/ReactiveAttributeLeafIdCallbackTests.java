// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import io.leaf.data.AttributeLeafIdCallbackTests.TextIds;
import io.leaf.data.AttributeLeafIdCallbackTests.WithoutKey;
import org.junit.jupiter.api.Test;

import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.query.Query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafId} on properties that are not the ID, with Spring Data R2DBC and
 * a database.
 */
class ReactiveAttributeLeafIdCallbackTests {

	@Test
	void severalPropertiesGetValues() {
		run((template, generator) -> {
			Numbered saved = template.insert(new Numbered(null, null, 0, null)).block();
			assertThat(saved).isEqualTo(new Numbered(1001L, 1001L, 1001, "T-1001"));
			assertThat(all(template)).containsExactly(saved);
			assertThat(generator.issued()).isEqualTo(Map.of("numbered", 1L, "number", 1L, "primitive", 1L, "text", 1L));
		});
	}

	@Test
	void updatesIssueNothing() {
		run((template, generator) -> {
			Numbered saved = template.insert(new Numbered(null, null, 0, null)).block();
			assertThat(saved.number()).isEqualTo(1001);
			template.update(new Numbered(saved.id(), 42L, 0, null)).block();
			assertThat(all(template)).containsExactly(new Numbered(1001L, 42L, 0, null));
			assertThat(generator.issued()).containsEntry("text", 1L);
		});
	}

	@Test
	void valuesSetByTheApplicationAreKept() {
		run((template, generator) -> {
			template.insert(new Numbered(null, 0L, 5, "mine")).block();
			assertThat(all(template)).containsExactly(new Numbered(1001L, 0L, 5, "mine"));
		});
	}

	@Test
	void entitiesAreCheckedAtStartup() {
		RelationalMappingContext context = new RelationalMappingContext();
		context.setInitialEntitySet(Set.of(WithoutKey.class));
		context.afterPropertiesSet();
		ReactiveLeafIdCallback callback = new ReactiveLeafIdCallback(List.of(context), RecordingIdGenerator::new,
				() -> null);
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(callback::afterSingletonsInstantiated)
			.withMessageStartingWith("@LeafId on %s.number names no key", WithoutKey.class.getName());
	}

	private static void run(BiConsumer<R2dbcEntityTemplate, RecordingIdGenerator> test) {
		ReactiveLeafIdCallbackTests.runner()
			.withBean(RecordingIdGenerator.class, TextIds::new)
			.run((context) -> test.accept(context.getBean(R2dbcEntityTemplate.class),
					context.getBean(RecordingIdGenerator.class)));
	}

	private static List<Numbered> all(R2dbcEntityTemplate template) {
		return template.select(Query.empty(), Numbered.class).collectList().block();
	}

	record Numbered(@Id @LeafId Long id, @LeafId("number") Long number, @LeafId("primitive") long primitive,
			@LeafId("text") String text) {
	}

}
