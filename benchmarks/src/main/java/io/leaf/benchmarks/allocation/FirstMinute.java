// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.leaf.benchmarks.report.Findings;
import io.leaf.benchmarks.report.Requirement;
import io.leaf.benchmarks.report.Requirement.Bound;
import io.leaf.benchmarks.report.Requirement.Unit;
import io.leaf.benchmarks.report.Spread;
import io.leaf.benchmarks.report.Table;
import io.leaf.benchmarks.startup.ChildJvm;
import io.leaf.benchmarks.startup.ChildJvm.Stack;
import io.leaf.benchmarks.startup.Figures;

/**
 * How long calls wait for several hot keys after the start of an application whose
 * database is 20 ms away, and how long what it has in memory would last.
 */
public final class FirstMinute {

	private static final Duration DISTANCE = Duration.ofMillis(20);

	/**
	 * Some hot keys: hardly a call may be late.
	 */
	private static final int SOME = 10;

	/**
	 * More hot keys: no call may fail.
	 */
	private static final int MANY = 20;

	private static final int WARM_UP_STEP = 1_000_000;

	private static final List<String> FLAGS = List.of("-Xms256m", "-Xmx256m");

	private FirstMinute() {
	}

	/**
	 * Measures one start with ten hot keys, and one with twenty.
	 * @param duration for how long IDs are drawn
	 * @return what was found
	 * @throws Exception if the application does not start, or IDs were not ascending
	 */
	public static Findings measure(Duration duration) throws Exception {
		List<List<String>> calls = new ArrayList<>();
		List<List<String>> buffers = new ArrayList<>();
		List<Requirement> requirements = new ArrayList<>();
		try (Database database = Database.mysql()) {
			for (int keys : List.of(SOME, MANY)) {
				System.out.printf("first-minute, %d keys%n", keys);
				Figures figures = run(database, keys, duration);
				calls.add(calls(keys, figures));
				buffers.add(buffers(keys, figures));
				if (keys == SOME) {
					requirements.add(new Requirement("hot keys after a start, longest wait", keys, Bound.AT_MOST, 0.5,
							Unit.SECONDS, List.of(figures.get("keys-longest"))));
					requirements.add(new Requirement("hot keys after a start, late calls", keys, Bound.LESS_THAN, 4,
							Unit.PERCENT, List.of(figures.get("keys-late"))));
				}
				requirements.add(new Requirement("hot keys after a start, failed calls", keys, Bound.AT_MOST, 0,
						Unit.CALLS, List.of(figures.get("keys-failed"))));
			}
		}
		return new Findings(List.of(
				new Table("first-minute",
						List.of("hot keys", "calls", "longest wait, s", "late calls", "failed calls",
								"a counter: longest wait, s", "a counter: late calls"),
						calls),
				new Table("first-minute-buffers", headings(), buffers)), requirements);
	}

	private static Figures run(Database database, int keys, Duration duration) throws Exception {
		for (int key = 0; key < keys; key++) {
			database.addRow("warm-" + key, WARM_UP_STEP);
			database.addRow("hot-" + key, Way.STEP);
		}
		return ChildJvm.run(FirstMinuteApplication.class, Stack.MYSQL, true, FLAGS,
				List.of(Integer.toString(keys), duration.toString(), "--spring.main.banner-mode=off",
						"--spring.datasource.url=" + database.url(DISTANCE),
						"--spring.datasource.username=" + database.username(),
						"--spring.datasource.password=" + database.password()));
	}

	private static List<String> calls(int keys, Figures figures) {
		return List.of(Integer.toString(keys), Spread.number(figures.get("keys-calls"), 0),
				Spread.number(figures.get("keys-longest"), 3), percent(figures.get("keys-late")),
				Spread.number(figures.get("keys-failed"), 0), Spread.number(figures.get("counter-longest"), 3),
				percent(figures.get("counter-late")));
	}

	private static String percent(double value) {
		return Spread.number(value, 2) + " %";
	}

	private static List<String> headings() {
		List<String> headings = new ArrayList<>(List.of("hot keys"));
		FirstMinuteApplication.LOOKS.forEach((seconds) -> headings.add("after %d s".formatted(seconds)));
		return headings;
	}

	private static List<String> buffers(int keys, Figures figures) {
		List<String> row = new ArrayList<>(List.of(Integer.toString(keys)));
		for (int seconds : FirstMinuteApplication.LOOKS) {
			row.add(figures.values().containsKey("least-" + seconds)
					? "%s s (%s s)".formatted(Spread.number(figures.get("median-" + seconds), 1),
							Spread.number(figures.get("least-" + seconds), 1))
					: "not measured");
		}
		return row;
	}

}
