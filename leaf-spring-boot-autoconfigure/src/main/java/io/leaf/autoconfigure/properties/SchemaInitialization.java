// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

/**
 * When Leaf's tables are created. Replaces Spring Boot's {@code
 * DatabaseInitializationMode}, which has the same values but is missing in applications
 * without JDBC.
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
