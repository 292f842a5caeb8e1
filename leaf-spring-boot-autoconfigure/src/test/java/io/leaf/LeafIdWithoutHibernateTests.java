/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link LeafId} can be read where there is no Hibernate.
 */
class LeafIdWithoutHibernateTests {

	@Test
	void annotationIsReadAndHibernatesPartIgnored() throws Exception {
		assertThat(annotationNames(LeafId.class)).contains("org.hibernate.annotations.IdGeneratorType");
		URL[] ours = { classes(LeafId.class), classes(Entity.class) };
		try (URLClassLoader loader = new URLClassLoader(ours, ClassLoader.getPlatformClassLoader())) {
			Annotation leafId = loader.loadClass(Entity.class.getName()).getDeclaredField("id").getAnnotations()[0];
			assertThat(leafId).hasToString("@io.leaf.LeafId(\"order\")");
			assertThat(annotationNames(leafId.annotationType())).isNotEmpty()
				.allMatch((name) -> name.startsWith("java.lang."));
		}
	}

	private static URL classes(Class<?> type) {
		return type.getProtectionDomain().getCodeSource().getLocation();
	}

	private static List<String> annotationNames(AnnotatedElement element) {
		return Arrays.stream(element.getAnnotations())
			.map((annotation) -> annotation.annotationType().getName())
			.toList();
	}

	static class Entity {

		@LeafId("order")
		private Long id;

	}

}
