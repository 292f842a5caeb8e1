// SPDX-License-Identifier: Apache-2.0

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
