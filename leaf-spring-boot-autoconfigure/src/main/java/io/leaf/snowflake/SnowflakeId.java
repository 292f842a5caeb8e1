// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Instant;

/**
 * The parts of a snowflake ID.
 *
 * @param timestamp the time of its tick, to the millisecond or second, depending on the
 * layout
 * @param workerId the worker ID with which it was issued
 * @param sequence its number within that tick and worker ID
 */
public record SnowflakeId(Instant timestamp, long workerId, long sequence) {

}
