// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.generator;

import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.annotations.Benchmark;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Subject}.
 */
class SubjectTests {

	@ParameterizedTest
	@EnumSource
	void everySubjectNamesABenchmark(Subject subject) throws Exception {
		int dot = subject.benchmark().lastIndexOf('.');
		String method = subject.benchmark().substring(dot + 1);
		List<String> benchmarks = Arrays.stream(Class.forName(subject.benchmark().substring(0, dot)).getMethods())
			.filter((candidate) -> candidate.isAnnotationPresent(Benchmark.class))
			.map((candidate) -> candidate.getName())
			.toList();
		assertThat(benchmarks).contains(method);
	}

}
