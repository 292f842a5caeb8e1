// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

/**
 * The source of the worker ID of a process. IDs of one source are unique among
 * themselves.
 */
enum LeaseSource {

	ZOOKEEPER("zookeeper", "ZooKeeper"), TABLE("jdbc", "the table"),

	SERVERS("server", "Leaf servers");

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
