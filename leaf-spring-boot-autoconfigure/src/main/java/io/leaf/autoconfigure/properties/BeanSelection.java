// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.util.Locale;

import org.springframework.aot.AotDetector;

/**
 * Checks that a property that selects beans still has the value for which the beans were
 * selected. Spring selects the beans when it evaluates the conditions: at build time if
 * the application is processed ahead of time, and otherwise before it creates the beans.
 * If the value changed afterwards, the application would silently ignore the new value:
 * for example, it would lease worker IDs from another store than the other processes, and
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
				"The property %s was changed from %s to %s after the beans had been selected by its former value."
					.formatted(property, text(selected), text(value)),
				"Set %s=%s earlier, for example in application.yaml or with an EnvironmentPostProcessor, not with a BeanFactoryPostProcessor."
					.formatted(property, text(value)));
	}

	private static String text(Object value) {
		return value.toString().toLowerCase(Locale.ROOT);
	}

}
