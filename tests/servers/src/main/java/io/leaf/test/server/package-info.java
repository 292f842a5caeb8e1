// SPDX-License-Identifier: Apache-2.0

/**
 * Real servers for tests, which run without Docker, and the faults that tests cause in
 * them. A test gets a database server from {@link io.leaf.test.server.Databases}.
 */
@NullMarked
package io.leaf.test.server;

import org.jspecify.annotations.NullMarked;
