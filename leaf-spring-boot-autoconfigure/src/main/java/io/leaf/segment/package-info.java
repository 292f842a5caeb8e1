// SPDX-License-Identifier: Apache-2.0

/**
 * Segment mode. The generator draws the IDs of a key from a buffer, which holds two
 * segments of numbers from a {@link io.leaf.segment.SegmentStore}: the current segment,
 * and the next one, which is fetched ahead of use. Keys with global ordering have no
 * buffer. The public types are API.
 * <p>
 * The package has more than twenty types because the types for orderings and periods use
 * the types that fetch segments and manage the life cycle of keys. If orderings and
 * periods had packages of their own, the types that they use would have to be public.
 */
@NullMarked
package io.leaf.segment;

import org.jspecify.annotations.NullMarked;
