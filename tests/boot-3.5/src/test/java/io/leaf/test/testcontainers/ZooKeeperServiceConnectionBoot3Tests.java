// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.testcontainers;

/**
 * The same on Spring Boot 3.5, with Testcontainers 1.
 */
class ZooKeeperServiceConnectionBoot3Tests extends ZooKeeperServiceConnectionTests {

}
