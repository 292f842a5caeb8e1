// SPDX-License-Identifier: Apache-2.0

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
 * Tests that {@link LeafId} can be read without Hibernate.
 */
class LeafIdWithoutHibernateTests {

	@Test
	void annotationIsReadableAndHibernatesAnnotationIsIgnored() throws Exception {
		assertThat(annotationNames(LeafId.class)).contains("org.hibernate.annotations.IdGeneratorType");
		URL[] classpath = { classes(LeafId.class), classes(Entity.class) };
		try (URLClassLoader loader = new URLClassLoader(classpath, ClassLoader.getPlatformClassLoader())) {
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
