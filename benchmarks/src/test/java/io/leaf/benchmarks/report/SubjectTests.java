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

package io.leaf.benchmarks.report;

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

	// compared by others as well, so it must not vanish unseen
	@ParameterizedTest
	@EnumSource
	void eachIsABenchmark(Subject subject) throws Exception {
		int dot = subject.benchmark().lastIndexOf('.');
		String method = subject.benchmark().substring(dot + 1);
		List<String> benchmarks = Arrays.stream(Class.forName(subject.benchmark().substring(0, dot)).getMethods())
			.filter((candidate) -> candidate.isAnnotationPresent(Benchmark.class))
			.map((candidate) -> candidate.getName())
			.toList();
		assertThat(benchmarks).contains(method);
	}

}
