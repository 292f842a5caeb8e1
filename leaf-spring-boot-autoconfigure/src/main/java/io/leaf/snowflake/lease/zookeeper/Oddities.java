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

package io.leaf.snowflake.lease.zookeeper;

import java.util.HashSet;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of what should not be in the tree, once of each.
 */
final class Oddities {

	private static final Logger log = LoggerFactory.getLogger(ZooKeeperWorkerLeaseStore.class);

	private final Set<String> told = new HashSet<>();

	/**
	 * Warns of a node unless it was warned of before.
	 * @param path where it is
	 * @param what what is odd about it, and what follows
	 */
	void warn(String path, String what) {
		if (this.told.add(path)) {
			log.warn("ZooKeeper node {} {}", path, what);
		}
	}

}
