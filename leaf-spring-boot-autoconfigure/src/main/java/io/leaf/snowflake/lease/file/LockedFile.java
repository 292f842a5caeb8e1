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
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.leaf.snowflake.lease.file.StateFileException.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file with an exclusive lock, which is held until it is closed or the process ends.
 * <p>
 * On POSIX a lock belongs to the process, and goes as soon as the process closes
 * <em>any</em> descriptor of the file, another one included that was opened in vain. So
 * within this JVM nobody may as much as open a file that is in use: {@link #IN_USE} knows
 * them. And nothing is read or written through a {@code FileChannel}, which an interrupt
 * of the thread would close, and the lock with it.
 */
final class LockedFile implements Storage {

	private static final Logger log = LoggerFactory.getLogger(LockedFile.class);

	private static final Set<String> IN_USE = ConcurrentHashMap.newKeySet();

	/**
	 * Files that an application with a class loader of its own holds in this JVM, and
	 * that were opened here too, as {@link #IN_USE} does not reach that far. Closing them
	 * would undo its lock.
	 */
	private static final Queue<RandomAccessFile> NEVER_TO_BE_CLOSED = new ConcurrentLinkedQueue<>();

	private final Path path;

	private final String identity;

	private final RandomAccessFile file;

	private final FileLock lock;

	private boolean closed;

	private LockedFile(Path path, String identity, RandomAccessFile file, FileLock lock) {
		this.path = path;
		this.identity = identity;
		this.file = file;
		this.lock = lock;
	}

	/**
	 * Opens a file, and creates it where it is missing.
	 */
	static LockedFile open(Path path) throws StateFileException {
		String identity;
		try {
			PrivateFiles.create(path);
			identity = identity(path);
		}
		catch (IOException ex) {
			throw unusable(path, ex);
		}
		if (!IN_USE.add(identity)) {
			throw inUse(path);
		}
		LockedFile locked = null;
		try {
			locked = lock(path, identity);
			locked.checkIsInPlace();
			return locked;
		}
		catch (IOException | RuntimeException ex) {
			if (locked != null) {
				locked.close();
			}
			else {
				IN_USE.remove(identity);
			}
			throw (ex instanceof StateFileException known) ? known : unusable(path, ex);
		}
	}

	private static LockedFile lock(Path path, String identity) throws IOException {
		RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
		FileLock lock;
		try {
			lock = file.getChannel().tryLock();
		}
		catch (OverlappingFileLockException ex) {
			NEVER_TO_BE_CLOSED.add(file);
			throw inUse(path);
		}
		catch (IOException ex) {
			file.close();
			throw new IOException("It cannot be locked", ex);
		}
		if (lock == null) {
			file.close();
			throw inUse(path);
		}
		return new LockedFile(path, identity, file, lock);
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

	private static String identity(Path path) throws IOException {
		BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
		if (attributes.isOther()) {
			// a device may take all that is written and keep nothing
			throw new IOException("It is a device or a pipe, and not a file");
		}
		return identity(path, attributes);
	}

	// Windows has no keys of files
	static String identity(Path path, BasicFileAttributes attributes) throws IOException {
		Object key = attributes.fileKey();
		return (key != null) ? key.toString() : "%s created %s".formatted(path.toRealPath(), attributes.creationTime());
	}

	@Override
	public String identity() {
		return this.identity;
	}

	@Override
	public byte[] read(int max) throws IOException {
		byte[] content = new byte[(int) Math.min(this.file.length(), max)];
		this.file.seek(0);
		this.file.readFully(content);
		return content;
	}

	@Override
	public void write(long position, byte[] bytes) throws IOException {
		this.file.seek(position);
		this.file.write(bytes);
		this.file.getFD().sync();
		// a file without a name keeps nothing, and does not keep others from starting
		checkIsInPlace();
	}

	private void checkIsInPlace() throws StateFileException {
		String found;
		try {
			found = identity(this.path);
		}
		catch (IOException ex) {
			throw replaced(ex.toString(), ex);
		}
		if (!found.equals(this.identity)) {
			throw replaced("it was %s and is %s".formatted(this.identity, found), null);
		}
	}

	private StateFileException replaced(String details, @Nullable Throwable cause) {
		return new StateFileException(Reason.REPLACED,
				"The state file %s was deleted or replaced while in use (%s)".formatted(this.path, details), cause);
	}

	@Override
	public void close() {
		if (this.closed) {
			return;
		}
		this.closed = true;
		try {
			try {
				this.lock.release();
			}
			finally {
				this.file.close();
			}
		}
		catch (IOException ex) {
			log.warn("The state file {} could not be closed. Its lock may be held until the process ends", this.path,
					ex);
		}
		// only now: closing would undo the lock of whoever comes next
		IN_USE.remove(this.identity);
	}

}
