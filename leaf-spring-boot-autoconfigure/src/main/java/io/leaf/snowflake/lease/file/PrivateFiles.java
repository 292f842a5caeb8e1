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
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates files and directories that their owner alone may use, and that a power failure
 * does not take away again.
 */
final class PrivateFiles {

	private static final Logger log = LoggerFactory.getLogger(PrivateFiles.class);

	private static final FileAttribute<?>[] NONE = {};

	private PrivateFiles() {
	}

	/**
	 * Creates a file and the directories above it, where they are missing.
	 */
	static void create(Path file) throws IOException {
		Path directory = file.toAbsolutePath().getParent();
		createDirectory(directory);
		try {
			Files.createFile(file, ownerOnly(file, "rw-------"));
		}
		catch (FileAlreadyExistsException ex) {
			// as after each start but the first
			log.trace("{} is there", file);
		}
		// also for a file that is there: who created it may not have come this far
		force(directory);
	}

	private static void createDirectory(@Nullable Path directory) throws IOException {
		if (directory == null || Files.isDirectory(directory)) {
			return;
		}
		Path parent = directory.getParent();
		createDirectory(parent);
		try {
			Files.createDirectory(directory, ownerOnly(directory, "rwx------"));
		}
		catch (FileAlreadyExistsException ex) {
			if (!Files.isDirectory(directory)) {
				throw new IOException("%s is not a directory".formatted(directory), ex);
			}
		}
		force(parent);
	}

	private static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
		if (!isPosix(path)) {
			return NONE;
		}
		return new FileAttribute<?>[] {
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)) };
	}

	// An entry of a directory is on disk once the directory is. Elsewhere than on POSIX,
	// directories cannot be opened, and see to it themselves.
	private static void force(@Nullable Path directory) {
		if (directory == null || !isPosix(directory)) {
			return;
		}
		try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
			channel.force(true);
		}
		catch (IOException ex) {
			log.warn("{} cannot be forced to disk: a power failure may take away what was just created in it",
					directory, ex);
		}
	}

	private static boolean isPosix(Path path) {
		return path.getFileSystem().supportedFileAttributeViews().contains("posix");
	}

}
