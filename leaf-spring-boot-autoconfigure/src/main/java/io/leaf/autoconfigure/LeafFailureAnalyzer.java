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

package io.leaf.autoconfigure;

import io.leaf.ClockDriftException;
import io.leaf.IdGenerationException;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.segment.SegmentStoreException;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Explains why an application with Leaf does not start.
 */
class LeafFailureAnalyzer extends AbstractFailureAnalyzer<IdGenerationException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, IdGenerationException cause) {
		if (cause instanceof LeafStartupException ex) {
			return new FailureAnalysis(ex.getMessage(), ex.getAction(), cause);
		}
		if (cause instanceof SegmentStoreException ex) {
			return new FailureAnalysis("Leaf cannot read its table. " + cause.getMessage() + ".", ex.isRefusal()
					? "Do as the description says."
					: "Do as the description says. To start while the database is away, set leaf.segment.fail-fast=false.",
					cause);
		}
		if (cause instanceof WorkerLeaseStoreException || cause instanceof WorkerIdUnavailableException
				|| cause instanceof ClockDriftException) {
			return new FailureAnalysis("Leaf has no worker ID to issue snowflake IDs with. " + cause.getMessage() + ".",
					"Do as the description says.", cause);
		}
		return null;
	}

}
