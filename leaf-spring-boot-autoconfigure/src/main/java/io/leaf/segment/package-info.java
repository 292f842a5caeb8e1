// SPDX-License-Identifier: Apache-2.0

/**
 * Segment mode: the generator, the buffer of each key, which holds two segments of
 * numbers from a {@link io.leaf.segment.SegmentStore}, and the fetching of the next one;
 * and keys with global ordering, which have no buffer. The public types are API.
 * <p>
 * It has more than twenty types because the orderings and the periods of a key share its
 * fetching and its life cycle: as packages of their own, they would make these public.
 */
@NullMarked
package io.leaf.segment;

import org.jspecify.annotations.NullMarked;
