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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The nodes below {@code forever} at one moment: those of ours and those of deployed Leaf
 * servers.
 *
 * @param byNumber the nodes whose names have a number. Several have the same one only
 * after {@code forever} was deleted
 * @param nextNumber the number that the next sequential node will get. ZooKeeper counts
 * the creations and never counts down, whatever is deleted
 */
record ForeverNodes(Map<Long, List<ForeverNode>> byNumber, long nextNumber) {

	static final ForeverNodes NONE = new ForeverNodes(Map.of(), 0);

	// a Leaf server understands no other names
	private static final Pattern NAME = Pattern.compile("([^-]*)-(\\d{1,10})");

	/**
	 * Reads the names.
	 * @param children what is below {@code forever}
	 * @param path where that is
	 * @param oddities where to tell of other names
	 */
	static ForeverNodes of(Requests.Children children, String path, Oddities oddities) {
		List<ForeverNode> nodes = new ArrayList<>();
		for (String name : children.names()) {
			Matcher matcher = NAME.matcher(name);
			if (matcher.matches()) {
				nodes.add(new ForeverNode(name, new NodeLabel(matcher.group(1)), Long.parseLong(matcher.group(2))));
			}
			else {
				oddities.warn(path + "/" + name,
						"is ignored, as its name is not a label, a dash and a number. A deployed Leaf server does not start beside it: delete it");
			}
		}
		// "cversion" is the number of creations and deletions
		long creations = ((long) children.stat().getCversion() + children.stat().getNumChildren()) / 2;
		return new ForeverNodes(nodes.stream().collect(Collectors.groupingBy(ForeverNode::number)), creations);
	}

	List<ForeverNode> numbered(long number) {
		return this.byNumber.getOrDefault(number, List.of());
	}

	List<ForeverNode> labelled(NodeLabel label) {
		return this.byNumber.values()
			.stream()
			.flatMap(List::stream)
			.filter((node) -> node.label().equals(label))
			.toList();
	}

	/**
	 * A node below {@code forever}.
	 *
	 * @param name its name
	 * @param label the part before the dash: who created it, which need not be who holds
	 * the lease
	 * @param number the part after the dash, which is the worker ID
	 */
	record ForeverNode(String name, NodeLabel label, long number) {

	}

}
