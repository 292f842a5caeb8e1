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

import io.leaf.benchmarks.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What one fork has shown.
 *
 * @param idsPerSecond how many IDs all threads drew together in a second; NaN if the fork
 * failed
 * @param bytesPerCall how many bytes a call allocated; NaN if the fork failed
 * @param verdict what is known of its IDs, or {@code null} if it drew none
 * @param failure why it failed, or {@code null} if it did not
 */
record Sample(double idsPerSecond, double bytesPerCall, @Nullable Verdict verdict, @Nullable String failure) {

	static Sample failed(String failure) {
		return new Sample(Double.NaN, Double.NaN, null, failure);
	}

}
