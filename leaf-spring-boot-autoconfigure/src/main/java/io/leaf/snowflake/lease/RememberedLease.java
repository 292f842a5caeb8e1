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

/**
 * What a process remembers of its claim beyond its own life. All times are milliseconds
 * since 1970-01-01T00:00:00Z.
 *
 * @param workerId the worker ID
 * @param owner the claim, as the register has it
 * @param horizon the largest timestamp that the store has confirmed for the claim
 * @param reservedUntil the largest timestamp that the process may have put into an ID: it
 * passes this one only once a later one is on disk. Never above the horizon
 */
public record RememberedLease(long workerId, String owner, long horizon, long reservedUntil) {

}
