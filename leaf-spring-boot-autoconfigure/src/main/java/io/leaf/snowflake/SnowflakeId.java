// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Instant;

/**
 * The parts of a snowflake ID.
 *
 * @param timestamp the time at which the tick of the ID begins. A tick is a millisecond
 * or a second, depending on the layout
 * @param workerId the worker ID with which the ID was issued
 * @param sequence the sequence number, which distinguishes IDs with the same tick and
 * worker ID
 */
public record SnowflakeId(Instant timestamp, long workerId, long sequence) {

}
