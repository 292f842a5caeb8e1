// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.jpa;

import java.io.Serializable;

// from docs/persistence.md
record OrderLineId(Long orderId, Long number) implements Serializable {
}
// end of docs/persistence.md
