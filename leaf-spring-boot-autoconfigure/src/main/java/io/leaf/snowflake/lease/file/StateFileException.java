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

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a {@link StateFile} that cannot do what it was asked for. The message names
 * the file and what is wrong, without a full stop; what to do next depends on what the
 * file is for.
 */
class StateFileException extends IOException {

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

		/**
		 * The file or its directory cannot be created, opened or locked.
		 */
		UNUSABLE,

		/**
		 * Somebody else holds the lock.
		 */
		IN_USE,

		/**
		 * There is content that cannot be read.
		 */
		DAMAGED,

		/**
		 * The content was written on another machine, in another file or for another
		 * purpose.
		 */
		COPIED,

		/**
		 * The content was written with another layout.
		 */
		OTHER_LAYOUT,

		/**
		 * The file was deleted or replaced while in use.
		 */
		REPLACED,

		/**
		 * Reading or writing failed. Another attempt may succeed.
		 */
		FAILED

	}

}
