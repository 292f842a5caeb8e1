// SPDX-License-Identifier: Apache-2.0

package io.leaf.data;

import io.leaf.LeafId;
import io.leaf.RecordingIdGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.query.Query;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeafId} on embedded properties with Spring Data R2DBC, which has
 * supported them since version 4.
 */
class ReactiveEmbeddedAttributeTests {

	@Test
	void embeddedPropertyGetsAValue() {
		ReactiveLeafIdCallbackTests.runner().withBean(RecordingIdGenerator.class).run((context) -> {
			R2dbcEntityTemplate template = context.getBean(R2dbcEntityTemplate.class);
			assertThat(template.insert(new Numbered(null, new Doc(null, "a"))).block())
				.isEqualTo(new Numbered(1001L, new Doc(1001L, "a")));
			template.update(new Numbered(1001L, new Doc(null, "b"))).block();
			assertThat(template.select(Query.empty(), Numbered.class).collectList().block())
				.containsExactly(new Numbered(1001L, new Doc(null, "b")));
			assertThat(template.insert(new Numbered(null, null)).block()).isEqualTo(new Numbered(1002L, null));
		});
	}

	record Numbered(@Id @LeafId Long id, @Embedded.Nullable(prefix = "doc_") Doc doc) {
	}

	record Doc(@LeafId("doc") Long number, String title) {
	}

}
