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

/**
 * What the store holds of a key, as it was read: nothing in it has been validated. A
 * value that is no whole number is {@link Long#MIN_VALUE}.
 *
 * @param key the key
 * @param maxId the smallest number not yet allocated
 * @param step how many numbers the row says a segment should have
 */
public record SegmentRow(String key, long maxId, long step) {

}
