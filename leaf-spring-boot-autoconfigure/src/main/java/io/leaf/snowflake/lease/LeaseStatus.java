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

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How the leases of a process are doing.
 *
 * @param workerIds the worker IDs that IDs are issued with
 * @param source which kind of store they come from
 * @param horizon until when IDs can be issued if the store stays away, or {@code null} if
 * there is no lease
 * @param lastError why the last renewal had no success, or {@code null} if it had
 * @param failures how many renewals had no success
 * @param free how many worker IDs no process holds, as seen when all were read last:
 * every ten minutes and at each claim; {@code null} before that, and for a source that
 * knows one worker ID only
 * @param window how far a lease reaches when it has just been renewed
 * @param memoryError why the process could not go on after a restart while the store is
 * away, or {@code null} if it could
 */
public record LeaseStatus(List<Long> workerIds, String source, @Nullable Instant horizon, @Nullable String lastError,
		long failures, @Nullable Long free, Duration window, @Nullable String memoryError) {

}
