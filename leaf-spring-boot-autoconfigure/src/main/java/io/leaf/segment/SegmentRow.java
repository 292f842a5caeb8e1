// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

/**
 * What the store holds of a key, as it was read: nothing in it has been validated. A
 * value that is no whole number is {@link Long#MIN_VALUE}.
 *
 * @param key the key
 * @param maxId the smallest number not yet allocated
 * @param step how many numbers the row says a segment should have
 */
public record SegmentRow(String key, long maxId, long step) {

}
