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

package io.leaf.simulation;

import java.util.function.BiFunction;

/**
 * Plays schedules until one fails. Loaded together with classes that have a defect, by a
 * class loader of their own, and called by a type that both sides know.
 */
public final class Hunt implements BiFunction<String, Long, Object> {

	@Override
	public Object apply(String kind, Long schedules) {
		Schedules played = Schedules.play(Kind.valueOf(kind), 0, schedules, 1);
		String failure = played.failure();
		return (failure != null) ? failure : "";
	}

}
