// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.text;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.leaf.text.IdFormat;
import io.leaf.text.IdFormatSettings;
import io.leaf.text.IdSecret;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures formatting IDs and parsing their texts. It is not part of the report. To run
 * it, start {@code org.openjdk.jmh.Main IdFormatBenchmark}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class IdFormatBenchmark {

	private static final int PERIOD_DIGITS = 6;

	private static final long FIRST_ID = 20261123000001L;

	@Param({ "{number}", "ORD-{crockford:10}{check}", "SO-{period}-{n:6}", "{masked:62}", "{masked}" })
	private String template = "";

	private IdFormat format = IdFormat.of("{number}");

	private long id = FIRST_ID;

	private String text = "";

	/**
	 * Creates the format.
	 */
	@Setup
	public void setUp() {
		this.format = IdFormat.of(this.template,
				new IdFormatSettings("order", PERIOD_DIGITS, List.of(IdSecret.of("1:correct horse battery staple"))));
		this.text = this.format.format(FIRST_ID);
	}

	/**
	 * Formats an ID.
	 * @return the text
	 */
	@Benchmark
	public String format() {
		return this.format.format(this.id++);
	}

	/**
	 * Parses a text.
	 * @return the ID
	 */
	@Benchmark
	public long parse() {
		return this.format.parse(this.text);
	}

}
