// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.Map;

/**
 * How one mode is doing, in no particular framework's words.
 *
 * @param level whether IDs can be issued
 * @param details what to show besides. Where the level is not {@link Level#UP} there are
 * {@code reasons}, a list of sentences
 */
public record HealthReport(Level level, Map<String, Object> details) {

	/**
	 * The detail that says why all is not well.
	 */
	static final String REASONS = "reasons";

	/**
	 * Whether IDs can be issued.
	 */
	public enum Level {

		/**
		 * They can.
		 */
		UP,

		/**
		 * They can, but may not for long.
		 */
		WARNING,

		/**
		 * They cannot.
		 */
		DOWN

	}

}
