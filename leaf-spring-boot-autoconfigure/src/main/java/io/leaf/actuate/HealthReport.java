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
