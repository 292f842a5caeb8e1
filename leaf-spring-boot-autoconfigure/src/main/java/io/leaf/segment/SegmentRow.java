// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

/**
 * The row of a key as it was read from the store. The values have not been validated.
 * {@link Long#MIN_VALUE} stands for a value that is missing, too large or not a whole
 * number.
 *
 * @param key the key
 * @param maxId the smallest number that has not been allocated
 * @param step the smallest size of a segment
 */
public record SegmentRow(String key, long maxId, long step) {

}
