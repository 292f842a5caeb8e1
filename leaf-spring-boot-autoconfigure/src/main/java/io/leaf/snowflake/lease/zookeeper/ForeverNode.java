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

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A node below {@code forever}: one of ours, or one of a deployed Leaf server.
 *
 * @param name its name
 * @param label the part before the dash
 * @param number the part after the dash, which is the worker ID
 */
record ForeverNode(String name, String label, long number) {

	// a Leaf server understands no other names
	private static final Pattern NAME = Pattern.compile("([^-]*)-(\\d{1,10})");

	/**
	 * What all labels of ours end with. A deployed Leaf server takes a node whose label
	 * is its own {@code ip:port} for its own, and its port is a number.
	 */
	private static final String MARK = ".s";

	/**
	 * Returns the label of a process, in characters that a deployed Leaf server can bear.
	 * It splits the names of all nodes at each dash: one more than that before the number
	 * would keep it from starting.
	 * @param host its address or the name of its host, of any characters
	 * @param port what tells it from other processes of that host
	 */
	static String label(String host, String port) {
		// the zone of an IPv6 address holds only on its own host
		int zone = host.indexOf('%');
		String address = (zone >= 0) ? host.substring(0, zone) : host;
		return (address + ":" + port).replaceAll("[^A-Za-z0-9.:_]", "_") + MARK;
	}

	/**
	 * Reads a name.
	 * @return the node, or {@code null} if it has another name
	 */
	static @Nullable ForeverNode of(String name) {
		Matcher matcher = NAME.matcher(name);
		return matcher.matches() ? new ForeverNode(name, matcher.group(1), Long.parseLong(matcher.group(2))) : null;
	}

	/**
	 * Returns whether it is of ours.
	 */
	boolean isOurs() {
		return this.label.endsWith(MARK);
	}

}
