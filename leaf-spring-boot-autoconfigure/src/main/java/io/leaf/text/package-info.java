// SPDX-License-Identifier: Apache-2.0

/**
 * IDs as text: formats, which map an ID to a text and back, and the secrets of masked
 * numbers. The public types are API.
 */
@NullMarked
package io.leaf.text;

import org.jspecify.annotations.NullMarked;
