// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.slice;

import io.leaf.LeafId;

import org.springframework.data.annotation.Id;

/**
 * An entity of Spring Data JDBC and R2DBC.
 */
record Note(@Id @LeafId Long id, String text) {
}
