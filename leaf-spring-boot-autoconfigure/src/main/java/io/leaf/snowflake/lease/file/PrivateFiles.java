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
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.leaf.snowflake.lease.file.StateFileException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Files and directories that their owner alone may use, and that a power failure does not
 * take away again. Below the directory of all state files, no link is followed.
 */
final class PrivateFiles {

	/**
	 * The part of a file's identity that may change when the machine starts.
	 */
	static final String DEVICE = "device";

	/**
	 * The part of a file's identity that cannot be given to a copy.
	 */
	static final String CHANGE_TIME = "change-time";

	private static final int ROOT = 0;

	private static final int ALL_OTHERS = 0077;

	private static final int EVERYBODY_WRITES = 0002;

	private PrivateFiles() {
	}

	/**
	 * Creates a directory and those above it, where they are missing.
	 */
	static void createDirectory(@Nullable Path directory, Path stateDir) throws IOException {
		if (directory == null) {
			return;
		}
		Path parent = directory.getParent();
		createDirectory(parent, stateDir);
		boolean below = !stateDir.startsWith(directory);
		LinkOption[] links = below ? new LinkOption[] { LinkOption.NOFOLLOW_LINKS } : new LinkOption[0];
		boolean exists = Files.isDirectory(directory, links);
		try {
			if (!exists) {
				Files.createDirectory(directory, ownerOnly(directory, "rwx------"));
			}
		}
		catch (FileAlreadyExistsException ex) {
			if (!Files.isDirectory(directory, links)) {
				throw new IOException("%s is not a directory, but %s".formatted(directory, kind(directory)), ex);
			}
		}
		// also for one of ours that is there: its creator may have been killed before
		if (below || !exists) {
			force(parent);
		}
	}

	/**
	 * Creates a file with some content, where there must be none, not even a link.
	 */
	static void create(Path file, byte[] content) throws IOException {
		try (FileChannel channel = FileChannel.open(file,
				Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly(file, "rw-------"))) {
			ByteBuffer bytes = ByteBuffer.wrap(content);
			while (bytes.hasRemaining()) {
				channel.write(bytes);
			}
			channel.force(true);
		}
	}

	private static FileAttribute<?>[] ownerOnly(Path path, String permissions) {
		return isUnix(path)
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)) }
				: new FileAttribute<?>[0];
	}

	/**
	 * Sees to it that what is in a directory stays there. Elsewhere than on Unix,
	 * directories cannot be opened, and see to it themselves.
	 */
	static void force(@Nullable Path directory) throws IOException {
		if (directory != null && isUnix(directory)) {
			try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
				channel.force(true);
			}
		}
	}

	/**
	 * Returns what tells a file from others, copies of it included.
	 * @throws IOException if there is no file
	 */
	static Map<String, String> identity(Path file) throws IOException {
		BasicFileAttributes attributes = attributes(file);
		if (!attributes.isRegularFile()) {
			throw new IOException("%s is not a file, but %s".formatted(file, kind(file)));
		}
		if (!isUnix(file)) {
			return Map.of("path", file.toRealPath().toString(), "created", attributes.creationTime().toString());
		}
		Map<String, Object> unix = Files.readAttributes(file, "unix:dev,ino,ctime", LinkOption.NOFOLLOW_LINKS);
		return Map.of(DEVICE, String.valueOf(unix.get("dev")), "inode", String.valueOf(unix.get("ino")), CHANGE_TIME,
				String.valueOf(unix.get("ctime")));
	}

	private static BasicFileAttributes attributes(Path path) throws IOException {
		return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
	}

	private static String kind(Path path) throws IOException {
		BasicFileAttributes attributes = attributes(path);
		return attributes.isSymbolicLink() ? "a symbolic link" : attributes.isDirectory() ? "a directory"
				: attributes.isRegularFile() ? "a file" : "a device or a pipe";
	}

	/**
	 * Requires that only the user of this process can put anything in place of a file, or
	 * read or write it.
	 * @param stateDir the directory of all state files, which may be the mount point of a
	 * volume: that belongs to root and is open to a group
	 * @param own files and directories below, of which some may be missing
	 * @param probe a file that this process may create and delete
	 * @throws IOException if others can
	 */
	static void requirePrivate(Path stateDir, List<Path> own, Path probe) throws IOException {
		if (!isUnix(stateDir)) {
			return;
		}
		Files.deleteIfExists(probe);
		create(probe, new byte[0]);
		// whom the file system takes this process for
		int user = number(probe, "uid");
		Files.delete(probe);
		require(stateDir.toRealPath(), List.of(user, ROOT), EVERYBODY_WRITES);
		for (Path path : own) {
			if (!Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
				require(path, List.of(user), ALL_OTHERS);
			}
		}
	}

	private static void require(Path path, List<Integer> owners, int forbidden) throws IOException {
		int owner = number(path, "uid");
		int mode = number(path, "mode") & 0777;
		String reason = !owners.contains(owner)
				? "it belongs to user %d, and not to the one of this process".formatted(owner)
				: ((mode & forbidden) != 0) ? "others have rights on it (mode %o)".formatted(mode) : null;
		if (reason != null) {
			throw new StateFileException(Reason.EXPOSED, "%s cannot be used: %s".formatted(path, reason), null);
		}
	}

	private static int number(Path path, String attribute) throws IOException {
		return (int) Files.getAttribute(path, "unix:" + attribute, LinkOption.NOFOLLOW_LINKS);
	}

	private static boolean isUnix(Path path) {
		return path.getFileSystem().supportedFileAttributeViews().contains("unix");
	}

}
