// SPDX-License-Identifier: Apache-2.0

/**
 * Real database servers for tests, run without Docker, and the faults to put them
 * through. {@link io.leaf.test.server.Databases} is where a test starts.
 */
@NullMarked
package io.leaf.test.server;

import org.jspecify.annotations.NullMarked;
