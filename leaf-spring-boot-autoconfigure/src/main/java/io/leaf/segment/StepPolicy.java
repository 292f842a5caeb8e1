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

package io.leaf.segment;

import java.time.Duration;

/**
 * Adapts the step of a key so that a segment lasts about the target duration. The rule is
 * Meituan's: double below the target, keep up to twice the target, halve beyond it.
 *
 * @param target how long a segment should last
 * @param maxStep the largest step that doubling reaches
 */
record StepPolicy(Duration target, long maxStep) {

	/**
	 * Returns the step of the next segment.
	 * @param step the step of the last segment, at least 1
	 * @param lasted how long the last segment lasted
	 * @param rowStep the step in the row, the lower bound, at least 1
	 * @return the next step: never below the row's, and above {@code maxStep} only where
	 * the row's step is
	 */
	long next(long step, Duration lasted, long rowStep) {
		if (lasted.compareTo(this.target) < 0) {
			long doubled = (step > this.maxStep / 2) ? this.maxStep : step * 2;
			return Math.max(rowStep, doubled);
		}
		if (lasted.compareTo(this.target.multipliedBy(2)) <= 0) {
			return Math.max(rowStep, Math.min(step, this.maxStep));
		}
		return Math.max(rowStep, Math.min(step, this.maxStep) / 2);
	}

}
