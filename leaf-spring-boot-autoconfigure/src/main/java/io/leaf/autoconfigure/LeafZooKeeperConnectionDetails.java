/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
