// SPDX-License-Identifier: Apache-2.0

/**
 * Segment mode: blocks of numbers taken from a {@link io.leaf.segment.SegmentStore},
 * double-buffered in memory.
 */
@NullMarked
package io.leaf.segment;

import org.jspecify.annotations.NullMarked;
