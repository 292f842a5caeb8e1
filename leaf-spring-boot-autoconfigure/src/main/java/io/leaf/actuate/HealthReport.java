// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import java.util.Map;

/**
 * The health of one mode, independent of any framework.
 *
 * @param level whether IDs can be issued
 * @param details further details. Unless the level is {@link Level#UP}, they contain
 * {@code reasons}, a list of sentences
 */
public record HealthReport(Level level, Map<String, Object> details) {

	/**
	 * The name of the detail that explains a level other than {@link Level#UP}.
	 */
	static final String REASONS = "reasons";

	/**
	 * Whether IDs can be issued.
	 */
	public enum Level {

		/**
		 * IDs can be issued.
		 */
		UP,

		/**
		 * IDs can be issued, but something should be corrected, as {@code reasons}
		 * explains.
		 */
		WARNING,

		/**
		 * IDs cannot be issued for at least one key or, in snowflake mode, for any key.
		 */
		DOWN

	}

}
