// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake;

import java.time.Instant;

/**
 * What a snowflake ID says.
 *
 * @param timestamp the time of its tick: to the millisecond or second, as the layout has
 * it
 * @param workerId which worker issued it
 * @param sequence its number within that tick and worker
 */
public record SnowflakeId(Instant timestamp, long workerId, long sequence) {

}
