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

import java.util.regex.Pattern;

/**
 * A JDBC URL as it may be shown: without credentials and without parameters, of which any
 * may hold a secret.
 */
final class JdbcLocation {

	// ?a=b and ;a=b, but also //(host=h,password=p) and DB2's /database:a=b;
	private static final Pattern PARAMETERS = Pattern.compile("\\?|;|\\(|[/:,&][\\w .-]*=");

	private static final Pattern CREDENTIALS = Pattern.compile("^(jdbc:[\\w-]+:(?:thin:|oci:)?(?://)?).*@");

	private JdbcLocation() {
	}

	static String of(String url) {
		String location = PARAMETERS.split(url, 2)[0];
		if (url.indexOf('@', location.length()) >= 0) {
			// a password may hold what looks like the beginning of the parameters
			location = location.replaceFirst("^(jdbc:[\\w-]+:).*", "$1...");
		}
		return CREDENTIALS.matcher(location).replaceFirst("$1");
	}

}
