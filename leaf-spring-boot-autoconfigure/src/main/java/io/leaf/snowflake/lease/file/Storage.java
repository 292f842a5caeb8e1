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
import java.nio.file.Path;

/**
 * The bytes of a file that nobody else uses.
 */
interface Storage extends AutoCloseable {

	/**
	 * Returns what tells this file from all others, copies of it included.
	 */
	String identity();

	/**
	 * Reads from the beginning.
	 * @param max how many bytes to read at most
	 * @return fewer where the file is shorter
	 * @throws IOException if it cannot be read
	 */
	byte[] read(int max) throws IOException;

	/**
	 * Writes bytes, which are on disk when the method returns.
	 * @param position where the first one goes
	 * @param bytes the bytes
	 * @throws IOException if that fails. Each of the bytes may then be the old one or the
	 * new one, on disk or only when read back
	 */
	void write(long position, byte[] bytes) throws IOException;

	/**
	 * Lets others use the file.
	 */
	@Override
	void close();

	/**
	 * Opens files.
	 */
	interface Opener {

		/**
		 * Opens a file, and creates it where it is missing.
		 * @param path where it is
		 * @return the file
		 * @throws StateFileException if it cannot be opened, or somebody else uses it
		 */
		Storage open(Path path) throws StateFileException;

	}

}
