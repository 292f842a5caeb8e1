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

import java.util.List;

import org.apache.zookeeper.common.PathUtils;

/**
 * Where things are in ZooKeeper.
 */
final class TreePaths {

	/**
	 * What holds the trees of all applications.
	 */
	static final String BASE = "/snowflake";

	private final String name;

	private final String root;

	/**
	 * Creates the paths.
	 * @param name the {@code leaf.name}
	 * @throws IllegalArgumentException if there can be no node of that name
	 */
	TreePaths(String name) {
		this.name = name;
		this.root = BASE + "/" + name;
		if (name.isBlank() || name.contains("/") || !isValid(this.root)) {
			throw new IllegalArgumentException(
					"leaf.name is '%s', and ZooKeeper can have no node of that name. It must not be blank, and have no '/' and no control characters"
						.formatted(name));
		}
	}

	private static boolean isValid(String path) {
		try {
			PathUtils.validatePath(path);
			return true;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	/**
	 * Returns the {@code leaf.name}.
	 */
	String name() {
		return this.name;
	}

	/**
	 * Returns what holds all of the application's.
	 */
	String root() {
		return this.root;
	}

	/**
	 * Returns what holds the nodes that number the workers, those of deployed Leaf
	 * servers among them.
	 */
	String forever() {
		return this.root + "/forever";
	}

	String forever(String node) {
		return forever() + "/" + node;
	}

	/**
	 * Returns what holds the registers.
	 */
	String leases() {
		return this.root + "/leases";
	}

	String lease(long workerId) {
		return leases() + "/" + workerId;
	}

	/**
	 * Returns where the layout is recorded.
	 */
	String layout() {
		return this.root + "/layout";
	}

	/**
	 * Returns the nodes that hold others, parents first.
	 */
	List<String> folders() {
		return List.of(BASE, this.root, forever(), leases());
	}

}
