// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.testcontainers;

/**
 * Runs the inherited tests on Spring Boot 3.5, with Testcontainers 1.
 */
class ZooKeeperServiceConnectionBoot3Tests extends ZooKeeperServiceConnectionTests {

}
