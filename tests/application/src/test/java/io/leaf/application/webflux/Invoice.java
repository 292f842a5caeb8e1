// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.webflux;

import io.leaf.LeafId;

import org.springframework.data.annotation.Id;

// from docs/persistence.md
record Invoice(@Id @LeafId Long id, String customer) {
}
// end of docs/persistence.md
