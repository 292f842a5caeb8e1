// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.util.Locale;

import org.springframework.aot.AotDetector;

/**
 * Checks that a property that selects beans still has the value for which the beans were
 * selected. Spring selects the beans when it evaluates the conditions: at build time if
 * the application is processed ahead of time, and otherwise before it creates the beans.
 * If the value differed afterwards, the application would silently ignore it: for
 * example, it would lease worker IDs from another store than the other processes, and
 * issue the same IDs.
 */
public final class BeanSelection {

	private BeanSelection() {
	}

	/**
	 * Aborts startup if the value of a property differs from the value for which the
	 * beans were selected.
	 * @param property the name of the property
	 * @param selected the value for which the beans were selected
	 * @param value the present value
	 * @throws LeafStartupException if the values differ
	 */
	public static void require(String property, Object selected, Object value) {
		if (value.equals(selected)) {
			return;
		}
		if (AotDetector.useGeneratedArtifacts()) {
			throw new LeafStartupException(
					"The application was processed ahead of time with %s=%s, but the value at startup is %s. Beans are selected when the application is built."
						.formatted(property, text(selected), text(value)),
					"Build the application with %s=%s, or start it with %s=%s or without spring.aot.enabled=true."
						.formatted(property, text(value), property, text(selected)));
		}
		throw new LeafStartupException(
				"The property %s is %s, but the beans were selected while it was %s.".formatted(property, text(value),
						text(selected)),
				"Set %s=%s where Spring's conditions see it, for example in application.yaml, with an EnvironmentPostProcessor or with @DynamicPropertySource. Conditions do not see properties that a BeanFactoryPostProcessor or a DynamicPropertyRegistrar adds, or that only a PropertySourcesPlaceholderConfigurer contains or hides."
					.formatted(property, text(value)));
	}

	private static String text(Object value) {
		return value.toString().toLowerCase(Locale.ROOT);
	}

}
