// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

/**
 * When Leaf's tables are created. The values are those of Spring Boot's
 * {@code DatabaseInitializationMode}, which is missing if the application has no JDBC.
 */
public enum SchemaInitialization {

	/**
	 * Always.
	 */
	ALWAYS,

	/**
	 * Only in an embedded database.
	 */
	EMBEDDED,

	/**
	 * Never.
	 */
	NEVER

}
