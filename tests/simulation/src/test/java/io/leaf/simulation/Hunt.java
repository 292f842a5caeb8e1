// SPDX-License-Identifier: Apache-2.0

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
