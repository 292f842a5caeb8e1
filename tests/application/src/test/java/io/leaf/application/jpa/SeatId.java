// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.jpa;

import java.io.Serializable;

import io.leaf.LeafId;
import jakarta.persistence.Embeddable;

// from docs/persistence.md
@Embeddable
record SeatId(String hall, @LeafId("seat") Long number) implements Serializable {
}
// end of docs/persistence.md
