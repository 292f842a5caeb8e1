// SPDX-License-Identifier: Apache-2.0

/**
 * Segment mode: the generator; the buffer of each key, which holds two segments of
 * numbers from a {@link io.leaf.segment.SegmentStore}; the fetching of the next segment;
 * and the keys with global ordering, which have no buffer. The public types are API.
 * <p>
 * The package has more than twenty types because the orderings and the periods of a key
 * use its fetching and its life cycle. If they were packages of their own, the fetching
 * and the life cycle would have to be public.
 */
@NullMarked
package io.leaf.segment;

import org.jspecify.annotations.NullMarked;
