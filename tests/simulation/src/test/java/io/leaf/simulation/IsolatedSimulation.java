// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.function.BiFunction;

/**
 * Plays schedules until one fails. It is loaded by a separate class loader together with
 * classes that have a defect, and is called through a type that both class loaders share.
 */
public final class IsolatedSimulation implements BiFunction<String, Long, Object> {

	@Override
	public Object apply(String kind, Long schedules) {
		Schedules played = Schedules.play(WorldKind.valueOf(kind), 0, schedules, 1);
		String failure = played.failure();
		return (failure != null) ? failure : "";
	}

}
