// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure.application;

import io.leaf.LeafId;

import org.springframework.data.annotation.Id;

record Note(@Id @LeafId Long id, String text) {
}
