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

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The content of a node below {@code forever} or {@code temporary}. A deployed Leaf
 * server does not start where its own node has any other field than these three.
 *
 * @param ip the host of the process
 * @param port its port
 * @param timestamp when it reported, by its own clock, in milliseconds since
 * 1970-01-01T00:00:00Z; {@link #NEVER} in a node of ours whose number nobody has used
 */
record ForeverPayload(String ip, String port, long timestamp) {

	/**
	 * A time that no Leaf server reports.
	 */
	static final long NEVER = 0;

	ForeverPayload at(long timestamp) {
		return new ForeverPayload(this.ip, this.port, timestamp);
	}

	byte[] toBytes() {
		Map<String, Object> fields = new LinkedHashMap<>();
		fields.put("ip", this.ip);
		fields.put("port", this.port);
		fields.put("timestamp", this.timestamp);
		return FlatJson.write(fields);
	}

	/**
	 * Reads the time of a report.
	 * @param content what the node holds
	 * @throws IllegalArgumentException if it holds none
	 */
	static long timestamp(byte[] content) {
		return FlatJson.time(FlatJson.read(content), "timestamp");
	}

}
