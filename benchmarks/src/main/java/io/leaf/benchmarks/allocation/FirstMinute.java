// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.leaf.benchmarks.Spread;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import io.leaf.benchmarks.report.Table;
import io.leaf.benchmarks.startup.ChildJvm;
import io.leaf.benchmarks.startup.ChildJvm.Figures;
import io.leaf.benchmarks.startup.ChildJvm.Stack;

/**
 * How long calls wait for IDs of several hot keys in the first minute of an application
 * whose database has a round trip of 20 ms, and how long the numbers in memory would
 * last.
 */
public final class FirstMinute {

	private static final Duration ROUND_TRIP = Duration.ofMillis(20);

	/**
	 * A number of hot keys with which few calls may be late.
	 */
	private static final int FEW = 10;

	/**
	 * A number of hot keys with which no call may fail.
	 */
	private static final int MANY = 20;

	private static final int WARM_UP_STEP = 1_000_000;

	private static final List<String> FLAGS = List.of("-Xms256m", "-Xmx256m");

	private FirstMinute() {
	}

	/**
	 * Measures one start with 10 hot keys and one with 20.
	 * @param duration how long IDs are drawn
	 * @return the tables
	 * @throws Exception if the application does not start, or IDs were not ascending
	 */
	public static List<Table> measure(Duration duration) throws Exception {
		List<List<String>> calls = new ArrayList<>();
		List<List<String>> buffers = new ArrayList<>();
		List<Requirement> requirements = new ArrayList<>();
		try (Database database = Database.mysql()) {
			for (int keys : List.of(FEW, MANY)) {
				System.out.printf("database-first-minute, %d keys%n", keys);
				Figures figures = run(database, keys, duration);
				calls.add(calls(keys, figures));
				buffers.add(buffers(keys, figures));
				if (keys == FEW) {
					requirements.add(new Requirement("hot keys in [the first minute](#the-first-minute), longest wait",
							keys, Bound.AT_MOST, 0.5, Unit.SECONDS, List.of(figures.get("keys-longest"))));
					requirements.add(new Requirement(
							"hot keys in [the first minute](#the-first-minute), calls more than 10 ms late", keys,
							Bound.LESS_THAN, 4, Unit.PERCENT, List.of(figures.get("keys-late"))));
				}
				requirements.add(new Requirement("hot keys in [the first minute](#the-first-minute), failed calls",
						keys, Bound.AT_MOST, 0, Unit.CALLS, List.of(figures.get("keys-failed"))));
			}
		}
		return List.of(Requirement.table(requirements),
				new Table("database-first-minute",
						List.of("hot keys", "calls", "longest wait, s", "late calls", "failed calls",
								"a counter: longest wait, s", "a counter: late calls"),
						calls),
				new Table("database-first-minute-buffers", headings(), buffers));
	}

	private static Figures run(Database database, int keys, Duration duration) throws Exception {
		for (int key = 0; key < keys; key++) {
			database.addRow("warm-" + key, WARM_UP_STEP);
			database.addRow("hot-" + key, AllocationMethod.STEP);
		}
		return ChildJvm.run(FirstMinuteApplication.class, Stack.MYSQL, true, FLAGS,
				List.of(Integer.toString(keys), duration.toString(), "--spring.main.banner-mode=off",
						"--spring.datasource.url=" + database.url(ROUND_TRIP),
						"--spring.datasource.username=" + database.username(),
						"--spring.datasource.password=" + database.password()));
	}

	private static List<String> calls(int keys, Figures figures) {
		return List.of(Integer.toString(keys), Spread.format(figures.get("keys-calls"), 0),
				Spread.format(figures.get("keys-longest"), 3), percent(figures.get("keys-late")),
				Spread.format(figures.get("keys-failed"), 0), Spread.format(figures.get("counter-longest"), 3),
				percent(figures.get("counter-late")));
	}

	private static String percent(double value) {
		return Spread.format(value, 2) + " %";
	}

	private static List<String> headings() {
		List<String> headings = new ArrayList<>(List.of("hot keys"));
		FirstMinuteApplication.OBSERVED_SECONDS.forEach((seconds) -> headings.add("after %d s".formatted(seconds)));
		return headings;
	}

	private static List<String> buffers(int keys, Figures figures) {
		List<String> row = new ArrayList<>(List.of(Integer.toString(keys)));
		for (int seconds : FirstMinuteApplication.OBSERVED_SECONDS) {
			row.add(figures.values().containsKey("minimum-" + seconds)
					? "%s s (%s s)".formatted(Spread.format(figures.get("median-" + seconds), 1),
							Spread.format(figures.get("minimum-" + seconds), 1))
					: "not measured");
		}
		return row;
	}

}
