// SPDX-License-Identifier: Apache-2.0

/**
 * The auto-configurations of the health contributor and of the connection details for
 * Spring Boot 3. They are separate, because the types that they use are in other packages
 * in Spring Boot 4.
 */
@NullMarked
package io.leaf.autoconfigure.boot3;

import org.jspecify.annotations.NullMarked;
