// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

/**
 * The two ways to issue IDs, each of which every process uses all the time.
 */
enum IdMode {

	SEGMENT, SNOWFLAKE

}
