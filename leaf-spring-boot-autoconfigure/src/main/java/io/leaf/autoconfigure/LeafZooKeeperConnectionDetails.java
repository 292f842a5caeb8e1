// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Where ZooKeeper is. A bean of this type, such as that of a container in a test, takes
 * the place of {@code leaf.snowflake.zookeeper.connect-string} and of a
 * {@code CuratorFramework} bean; the other properties of {@code leaf.snowflake.zookeeper}
 * count as ever.
 */
public interface LeafZooKeeperConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the addresses of the servers.
	 * @return {@code host:port} of each, with commas in between; may end with a path
	 * below which everything lies
	 */
	String getConnectString();

}
