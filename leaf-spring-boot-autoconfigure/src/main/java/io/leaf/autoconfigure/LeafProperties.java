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

package io.leaf.autoconfigure;

import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/**
 * Properties common to all modes.
 *
 * @param name Name under which the application issues IDs. Defaults to
 * spring.application.name, or else "application".
 * @param defaultMode Mode of the keys that are not listed in leaf.modes. Defaults to
 * 'segment', or to the only mode that is enabled.
 * @param modes Mode of single keys, by key. A key with characters other than letters,
 * digits and '-' stands in brackets, such as leaf.modes[order_item].
 */
@ConfigurationProperties("leaf")
public record LeafProperties(@Nullable String name, @Nullable Mode defaultMode, @DefaultValue Map<String, Mode> modes) {

	/**
	 * The width of the column in the table of the worker IDs.
	 */
	private static final int MAX_NAME_LENGTH = 128;

	String nameOr(Environment environment) {
		String name = (this.name != null) ? this.name
				: environment.getProperty("spring.application.name", "application");
		new PropertyRanges("leaf").require("name", name,
				!name.isBlank() && name.length() <= MAX_NAME_LENGTH && !name.contains("/"),
				"a text of 1 to %d characters without '/'".formatted(MAX_NAME_LENGTH));
		return name;
	}

	/**
	 * How IDs are issued.
	 */
	public enum Mode {

		/**
		 * From blocks of numbers.
		 */
		SEGMENT,

		/**
		 * From time, worker ID and sequence.
		 */
		SNOWFLAKE

	}

}
