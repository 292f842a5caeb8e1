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

package io.leaf.actuate;

import java.util.Map;

import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStatus;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * Shows how the generators are doing: {@code /actuator/leaf}, and {@code /actuator/leaf/}
 * followed by a key. Reading it changes nothing and touches no database.
 */
@Endpoint(id = "leaf")
public class LeafEndpoint {

	private final String name;

	private final SegmentIdGenerator segment;

	/**
	 * Creates the endpoint.
	 * @param name the name under which the application issues IDs
	 * @param segment the generator of segment mode
	 */
	public LeafEndpoint(String name, SegmentIdGenerator segment) {
		this.name = name;
		this.segment = segment;
	}

	/**
	 * Shows all keys.
	 * @return the report
	 */
	@ReadOperation
	public Report report() {
		return new Report(this.name, new SegmentReport(this.segment.status()));
	}

	/**
	 * Shows one key.
	 * @param key the key
	 * @return how it is doing, or {@code null} if there is no such key
	 */
	@ReadOperation
	public @Nullable SegmentStatus key(@Selector String key) {
		return this.segment.status(key);
	}

	/**
	 * The whole report.
	 *
	 * @param name the name under which the application issues IDs
	 * @param segment segment mode
	 */
	public record Report(String name, SegmentReport segment) {

	}

	/**
	 * Segment mode.
	 *
	 * @param keys how each key is doing
	 */
	public record SegmentReport(Map<String, SegmentStatus> keys) {

	}

}
