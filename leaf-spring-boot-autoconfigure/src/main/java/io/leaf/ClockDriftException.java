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

package io.leaf;

/**
 * Thrown at start in snowflake mode when this process's clock is too far from the others
 * to issue IDs that tell the time. The message names both clocks. Uniqueness does not
 * depend on this check.
 */
public class ClockDriftException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message both clocks, the allowed difference and what to do next
	 */
	public ClockDriftException(String message) {
		super(message);
	}

}
