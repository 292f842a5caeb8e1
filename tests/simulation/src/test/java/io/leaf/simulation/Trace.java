// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The events of a schedule, line by line. They are kept only if the trace is needed: if a
 * schedule fails, it is played again to get its trace.
 */
final class Trace {

	private final boolean kept;

	private final List<String> lines = new ArrayList<>();

	Trace(boolean kept) {
		this.kept = kept;
	}

	void clear() {
		this.lines.clear();
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
