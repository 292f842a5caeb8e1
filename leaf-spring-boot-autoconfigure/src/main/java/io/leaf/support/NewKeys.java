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

package io.leaf.support;

/**
 * An {@link io.leaf.IdGenerator} that adds keys which do not exist yet, and begins them
 * above the IDs that their entities' tables hold.
 */
public interface NewKeys {

	/**
	 * Returns whether a key would be added by its first ID, as far as is known in memory.
	 * If so, and the caller knows the table, it reports the largest ID before it asks for
	 * one.
	 * @param key the key
	 * @return whether to report the largest ID
	 */
	boolean isNew(String key);

	/**
	 * Has the key begin above an ID if it is added by this process. Has no effect on a
	 * key that exists.
	 * @param key the key
	 * @param largestId the largest ID in use
	 */
	void startAbove(String key, long largestId);

}
