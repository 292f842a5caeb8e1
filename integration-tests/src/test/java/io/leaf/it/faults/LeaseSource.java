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

package io.leaf.it.faults;

/**
 * Where a process has its worker ID from. IDs of one source are unique among themselves.
 */
enum LeaseSource {

	ZOOKEEPER("zookeeper", "ZooKeeper"), TABLE("jdbc", "the table");

	private final String property;

	private final String description;

	LeaseSource(String property, String description) {
		this.property = property;
		this.description = description;
	}

	String property() {
		return this.property;
	}

	@Override
	public String toString() {
		return this.description;
	}

}
