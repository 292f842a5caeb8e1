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

package io.leaf.snowflake.lease;

import io.leaf.IdGenerationException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link WorkerLeaseStore} that cannot do what it was asked for.
 */
public class WorkerLeaseStoreException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final boolean refusal;

	/**
	 * Creates an exception.
	 * @param message what went wrong and what to do next; holds no credential
	 * @param cause the reason, or {@code null} if there is none to tell
	 * @param refusal whether the store answered, and will answer the same until somebody
	 * changes the data or the configuration: there is no point in another attempt
	 */
	public WorkerLeaseStoreException(String message, @Nullable Throwable cause, boolean refusal) {
		super(message, cause);
		this.refusal = refusal;
	}

	/**
	 * Returns whether the same request will fail until somebody changes the data or the
	 * configuration.
	 * @return {@code true} for a refusal, {@code false} for a failure that may pass
	 */
	public boolean isRefusal() {
		return this.refusal;
	}

}
