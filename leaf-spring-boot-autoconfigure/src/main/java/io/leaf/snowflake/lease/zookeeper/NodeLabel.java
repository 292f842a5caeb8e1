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

/**
 * What the name of a node says of a process: {@code host:port.s}, in characters that a
 * deployed Leaf server can bear. It splits the names of all nodes at each dash, so that
 * one dash more than the one before the number would keep it from starting; and it takes
 * a node whose label is its own {@code ip:port} for its own. None of ours ever is: its
 * port is a number.
 *
 * @param text letters, digits, {@code .}, {@code :} and {@code _}
 */
record NodeLabel(String text) {

	/**
	 * Returns the label of a process.
	 * @param host its address or the name of its host, of any characters
	 * @param port what tells it from other processes of that host
	 */
	static NodeLabel of(String host, String port) {
		// the zone of an IPv6 address holds only on its own host
		int zone = host.indexOf('%');
		String address = (zone >= 0) ? host.substring(0, zone) : host;
		return new NodeLabel((address + ":" + port).replaceAll("[^A-Za-z0-9.:_]", "_") + ".s");
	}

	@Override
	public String toString() {
		return this.text;
	}

}
