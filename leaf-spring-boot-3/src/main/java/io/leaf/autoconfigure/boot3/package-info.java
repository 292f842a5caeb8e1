// SPDX-License-Identifier: Apache-2.0

/**
 * The auto-configuration of the health contributor for Spring Boot 3. It is separate,
 * because the types that it uses are in other packages in Spring Boot 4.
 */
@NullMarked
package io.leaf.autoconfigure.boot3;

import org.jspecify.annotations.NullMarked;
