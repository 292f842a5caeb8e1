// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.snowflake;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * The addresses of ZooKeeper. A bean of this type, for example from a test container,
 * replaces {@code leaf.snowflake.zookeeper.connect-string} and a {@code
 * CuratorFramework} bean; the other properties of {@code leaf.snowflake.zookeeper} still
 * apply.
 */
public interface LeafZooKeeperConnectionDetails extends ConnectionDetails {

	/**
	 * Returns the addresses of the servers.
	 * @return a comma-separated list of {@code host:port}; may end with a path, below
	 * which all nodes are created
	 */
	String getConnectString();

}
