// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.leaf.snowflake.SnowflakeLayout;

/**
 * The processes that have used each worker ID, according to their recorded IDs. If no
 * worker ID was used by more than one process, the faults have tested little.
 */
final class WorkerIdUse {

	private final Map<Long, Set<String>> processes = new TreeMap<>();

	WorkerIdUse(List<Path> files) throws IOException {
		for (Path file : files) {
			String name = file.getFileName().toString();
			add(file, name.substring(0, name.indexOf("-snowflake")));
		}
	}

	private void add(Path file, String process) throws IOException {
		try (IdRunReader runs = new IdRunReader(file)) {
			long before = -1;
			while (runs.next()) {
				long workerId = runs.first() >> SnowflakeLayout.LEAF.sequenceBits()
						& SnowflakeLayout.LEAF.maxWorkerId();
				if (workerId != before) {
					this.processes.computeIfAbsent(workerId, (key) -> new TreeSet<>()).add(process);
					before = workerId;
				}
			}
		}
	}

	/**
	 * Returns how many worker IDs were used.
	 */
	int size() {
		return this.processes.size();
	}

	@Override
	public String toString() {
		return "%d worker IDs, %d of them used by more than one process".formatted(this.processes.size(),
				this.processes.values().stream().filter((users) -> users.size() > 1).count());
	}

}
