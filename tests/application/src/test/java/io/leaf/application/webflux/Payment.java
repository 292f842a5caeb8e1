// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.webflux;

import io.leaf.LeafId;

import org.springframework.data.annotation.Id;

/**
 * An entity with a snowflake ID.
 */
record Payment(@Id @LeafId("payment") Long id, long cents) {
}
