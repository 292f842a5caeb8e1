// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.util.Locale;

import org.springframework.aot.AotDetector;

/**
 * Checks that a property that selects beans still has the value for which the beans were
 * selected. If an application is processed ahead of time, Spring selects the beans at
 * build time and evaluates no conditions at startup. With another value at startup, the
 * application would silently ignore this value: for example, it would lease worker IDs
 * from another store than the other processes, and issue the same IDs.
 */
public final class BuildTimeValue {

	private BuildTimeValue() {
	}

	/**
	 * Aborts startup if the application was processed ahead of time, and the value of a
	 * property differs from the value for which the beans were selected.
	 * @param property the name of the property
	 * @param selected the value for which the beans were selected
	 * @param value the value at startup
	 * @throws LeafStartupException if the values differ
	 */
	public static void require(String property, Object selected, Object value) {
		if (AotDetector.useGeneratedArtifacts() && !value.equals(selected)) {
			throw new LeafStartupException(
					"The application was processed ahead of time with %s=%s, but the value at startup is %s. Beans are selected when the application is built."
						.formatted(property, text(selected), text(value)),
					"Build the application with %s=%s, or start it with %s=%s or without spring.aot.enabled=true."
						.formatted(property, text(value), property, text(selected)));
		}
	}

	private static String text(Object value) {
		return value.toString().toLowerCase(Locale.ROOT);
	}

}
