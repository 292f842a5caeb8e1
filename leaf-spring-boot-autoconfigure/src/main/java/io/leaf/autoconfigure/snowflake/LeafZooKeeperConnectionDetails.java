// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.snowflake;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The addresses of the ZooKeeper servers. A bean of this type, for example for a test
 * container, is used instead of the property {@code
 * leaf.snowflake.zookeeper.connect-string} and instead of a {@code CuratorFramework}
 * bean. The other properties of {@code leaf.snowflake.zookeeper} still apply.
 */
public interface LeafZooKeeperConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the addresses of the servers.
	 * @return a comma-separated list of {@code host:port}, optionally followed by a path.
	 * If there is a path, Leaf creates all its nodes below this path
	 */
	String getConnectString();

}
