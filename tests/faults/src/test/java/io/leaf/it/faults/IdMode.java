// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

/**
 * The two modes of issuing IDs. Every process uses both all the time.
 */
enum IdMode {

	SEGMENT, SNOWFLAKE

}
