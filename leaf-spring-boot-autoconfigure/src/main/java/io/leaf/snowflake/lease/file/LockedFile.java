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
import java.io.InputStream;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.leaf.snowflake.lease.file.StateFileException.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is replaced as a whole, and one beside it that is locked until the first
 * one is closed or the process ends. That is never written, so that it stays what it is.
 * <p>
 * On POSIX a lock belongs to the process, and goes as soon as the process closes
 * <em>any</em> descriptor of the file, including another one that was opened without
 * success.
 */
final class LockedFile implements StateFile.Storage {

	private static final Logger log = LoggerFactory.getLogger(LockedFile.class);

	/**
	 * Descriptors that were opened without success while another keeper in this JVM,
	 * perhaps in an application with a class loader of its own, held the lock.
	 */
	private static final Queue<FileChannel> NEVER_TO_BE_CLOSED = new ConcurrentLinkedQueue<>();

	/**
	 * What clears temporary folders deletes files that have not changed for days, locked
	 * or not.
	 */
	private static final FileTime NEVER_OLD = FileTime.from(Instant.parse("2038-01-01T00:00:00Z"));

	private final Path path;

	private final Path lockPath;

	private final Path temporary;

	private final FileChannel channel;

	private final Map<String, String> place;

	private LockedFile(Path stateDir, Path path) throws IOException {
		this.path = path;
		this.lockPath = sibling(".lock");
		this.temporary = sibling(".tmp");
		PrivateFiles.createDirectory(path.getParent(), stateDir);
		try {
			PrivateFiles.create(this.lockPath, new byte[0]);
			Files.setLastModifiedTime(this.lockPath, NEVER_OLD);
		}
		catch (FileAlreadyExistsException ex) {
			log.trace("{} is there, as at each start but the first", this.lockPath);
		}
		this.place = place(PrivateFiles.identity(this.lockPath));
		this.channel = FileChannel.open(this.lockPath, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Takes a file into exclusive use, whether it exists or not.
	 * @param stateDir the directory of all state files
	 * @param path the file, somewhere below
	 */
	// One at a time, and none while another is closed: that would undo the lock.
	static LockedFile open(Path stateDir, Path path) throws StateFileException {
		synchronized (LockedFile.class) {
			LockedFile opened = null;
			try {
				opened = new LockedFile(stateDir, path);
				if (opened.channel.tryLock() == null) {
					throw inUse(path);
				}
				// also one that was there: its creator may have been killed before
				opened.channel.force(true);
				opened.identity();
				opened.requirePrivate(stateDir);
				return opened;
			}
			catch (OverlappingFileLockException ex) {
				NEVER_TO_BE_CLOSED.add(Objects.requireNonNull(opened).channel);
				throw inUse(path);
			}
			catch (IOException | RuntimeException ex) {
				if (opened != null) {
					opened.close();
				}
				throw (ex instanceof StateFileException known) ? known : unusable(path, ex);
			}
		}
	}

	private Path sibling(String suffix) {
		return this.path.resolveSibling(String.valueOf(this.path.getFileName()).replace(".state", suffix));
	}

	// under the lock, since the temporary file may belong to another process before
	private void requirePrivate(Path stateDir) throws IOException {
		// one that cannot be looked at is there: a new one in its place would say nothing
		if (!Files.notExists(this.path, LinkOption.NOFOLLOW_LINKS)) {
			// a device or a pipe may have no end
			PrivateFiles.identity(this.path);
		}
		List<Path> own = new ArrayList<>(List.of(this.lockPath, this.path));
		for (Path directory = this.path.getParent(); directory != null
				&& !directory.equals(stateDir); directory = directory.getParent()) {
			own.add(0, directory);
		}
		PrivateFiles.requirePrivate(stateDir, own, this.temporary);
	}

	private static StateFileException inUse(Path path) {
		return new StateFileException(Reason.IN_USE, "The state file %s is in use".formatted(path), null);
	}

	private static StateFileException unusable(Path path, Exception cause) {
		// the subclasses say what happened in their names only
		String reason = (cause.getClass() == IOException.class) ? cause.getMessage()
				: "%s: %s".formatted(cause.getClass().getSimpleName(), cause.getMessage());
		return new StateFileException(Reason.UNUSABLE, "The state file %s cannot be used: %s".formatted(path, reason),
				cause);
	}

	@Override
	public Map<String, String> identity() throws StateFileException {
		try {
			Map<String, String> found = PrivateFiles.identity(this.lockPath);
			if (!place(found).equals(this.place)) {
				throw new IOException("it was %s and is %s".formatted(this.place, place(found)));
			}
			return found;
		}
		catch (IOException ex) {
			// a process that starts now does not find the lock
			throw new StateFileException(Reason.REPLACED,
					"The lock file %s was deleted or replaced while in use (%s)".formatted(this.lockPath, ex), ex);
		}
	}

	// a file that is locked may be touched, and stays the same
	private static Map<String, String> place(Map<String, String> identity) {
		Map<String, String> place = new TreeMap<>(identity);
		place.remove(PrivateFiles.CHANGE_TIME);
		return place;
	}

	@Override
	public byte @Nullable [] read(int max) throws IOException {
		try (InputStream input = Files.newInputStream(this.path, LinkOption.NOFOLLOW_LINKS)) {
			return input.readNBytes(max);
		}
		catch (NoSuchFileException ex) {
			return null;
		}
	}

	@Override
	public void replace(byte[] content) throws IOException {
		boolean interrupted = false;
		try {
			while (!attempt(content)) {
				interrupted |= Thread.interrupted();
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	// an interrupt says nothing of the disk, and leaves it to be tried again
	private boolean attempt(byte[] content) throws IOException {
		try {
			Files.deleteIfExists(this.temporary);
			PrivateFiles.create(this.temporary, content);
			identity();
			Files.move(this.temporary, this.path, StandardCopyOption.ATOMIC_MOVE);
			PrivateFiles.force(this.path.getParent());
			return true;
		}
		catch (ClosedByInterruptException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		synchronized (LockedFile.class) {
			try {
				this.channel.close();
			}
			catch (IOException ex) {
				log.warn("The lock file {} could not be closed. Its lock may be held until the process ends",
						this.lockPath, ex);
			}
		}
	}

}
