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

	/**
	 * How many nodes are told of.
	 */
	private static final int MAX_TOLD = 100;

	private static final int MAX_QUOTED = 100;

	private final Set<String> told = new HashSet<>();

	/**
	 * Quotes what a node holds, which may be anything.
	 * @return one short line
	 */
	static String quote(String text) {
		String start = (text.length() > MAX_QUOTED) ? text.substring(0, MAX_QUOTED) + "…" : text;
		return "'" + start.replaceAll("\\p{Cntrl}", "?") + "'";
	}

	/**
	 * Warns of a node unless it was warned of before, or of very many others.
	 * @param path where it is
	 * @param what what is odd about it, and what follows
	 */
	void warn(String path, String what) {
		if (this.told.size() >= MAX_TOLD || !this.told.add(path)) {
			return;
		}
		log.warn("ZooKeeper node {} {}", path, what);
		if (this.told.size() == MAX_TOLD) {
			log.warn("{} malformed ZooKeeper nodes have been reported; further ones will not be logged", MAX_TOLD);
		}
	}

}
