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

package io.leaf.snowflake.lease.file;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Makes file names of arbitrary names, different ones of different names.
 */
final class FileName {

	/**
	 * File systems have names of up to 255 bytes, and something is added to these.
	 */
	private static final int MAX_LENGTH = 200;

	private FileName() {
	}

	/**
	 * Returns a file name for a name: the name itself, with {@code %} and two hexadecimal
	 * digits in place of each byte that is not a letter, a digit, or one of {@code ._-}.
	 * One that would be too long is cut, and ends with a hash of the name.
	 * @param name any text
	 * @return 1 to {@value #MAX_LENGTH} characters, neither {@code .} nor {@code ..}
	 */
	static String of(String name) {
		if (name.isEmpty()) {
			// no other name comes out as this
			return "%";
		}
		String fileName = URLEncoder.encode(name, StandardCharsets.UTF_8)
			.replace("+", "%20")
			.replace("*", "%2A")
			// a dot at the end may be part of '.' or '..', and Windows drops it
			.replaceFirst("\\.$", "%2E");
		if (fileName.length() <= MAX_LENGTH) {
			return fileName;
		}
		// no byte is written as this
		String end = "%-" + UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
		return fileName.substring(0, MAX_LENGTH - end.length()) + end;
	}

}
