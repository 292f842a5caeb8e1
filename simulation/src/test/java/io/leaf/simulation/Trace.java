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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What has happened, line by line. Kept only where somebody is to read it: a schedule
 * that has failed is played again for its trace.
 */
final class Trace {

	private final boolean kept;

	private final List<String> lines = new ArrayList<>();

	Trace(boolean kept) {
		this.kept = kept;
	}

	boolean isKept() {
		return this.kept;
	}

	void line(World world, String who, String what) {
		if (this.kept) {
			this.lines.add(String.format(Locale.ROOT, "%12.3f ms  %-10s %s", world.now() / 1e6, who, what));
		}
	}

	@Override
	public String toString() {
		return String.join("\n", this.lines);
	}

}
