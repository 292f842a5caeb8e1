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

package io.leaf.snowflake.lease.file;

import org.jspecify.annotations.Nullable;

/**
 * Why a {@link StateFile} cannot do what it was asked for. The message names the file and
 * what is wrong, without a full stop; what to do next depends on what the file is for.
 */
class StateFileException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final Reason reason;

	StateFileException(Reason reason, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.reason = reason;
	}

	Reason reason() {
		return this.reason;
	}

	enum Reason {

		/** The file or its directory cannot be created, opened or locked. */
		UNUSABLE("Set leaf.snowflake.state-dir to a directory on a local disk in which this process may write"),

		/** Others than the user of this process could use the file or its directory. */
		EXPOSED("Give the folder to the user of this process alone (chown, chmod 700), and the files in it (chmod 600). If leaf.snowflake.state-dir is a volume that belongs to another user or is open to everybody, set it to a new folder in that volume, which Leaf creates"),

		/** Another process holds the lock. */
		IN_USE(""),

		/** There is content that cannot be read. */
		DAMAGED(""),

		/**
		 * It was written on another machine, beside another lock file or for another
		 * purpose.
		 */
		COPIED(""),

		/** The content speaks of another store. */
		OTHER_STORE(
				"A claim holds in the store that it was made in. Start the process while the store of worker IDs can be reached: the file will be written anew"),

		/** The content was written with another layout. */
		OTHER_LAYOUT(
				"IDs of two layouts collide. Set leaf.snowflake.layout as it was, or choose another leaf.name for IDs with another purpose"),

		/** The lock file was deleted or replaced while in use. */
		REPLACED(""),

		/** Reading or writing failed. Another attempt may succeed. */
		FAILED("Make sure that the disk of leaf.snowflake.state-dir is in order and has space left");

		/** What to do, where that is the same for every purpose of a file. */
		private final String advice;

		Reason(String advice) {
			this.advice = advice;
		}

		String advice() {
			return this.advice;
		}

	}

}
