// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
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
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.leaf.snowflake.lease.file.StateFile.Reason;
import io.leaf.snowflake.lease.file.StateFile.StateFileException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file whose content is replaced as a whole. The lock file next to it stays locked
 * until this object is closed or the process ends. Nothing is ever written to the lock
 * file, so that its identity does not change. Both files, and their directories below the
 * directory of all state files, survive a power failure and, on Unix, are accessible only
 * to their owner. Symbolic links below the directory of all state files are not followed.
 * <p>
 * On POSIX systems, a lock belongs to the process. The lock is released as soon as the
 * process closes <em>any</em> descriptor of the lock file, even a descriptor for which
 * the lock was refused.
 */
final class LockedFile implements StateFile.Storage {

	/** The part of a file's identity that may change when the machine boots. */
	static final String DEVICE = "device";

	// the part of a file's identity that differs in every copy
	private static final String CHANGE_TIME = "change-time";

	private static final int ROOT = 0;

	private static final int ALL_OTHERS = 0077;

	private static final int WORLD_WRITABLE = 0002;

	private static final Logger logger = LoggerFactory.getLogger(LockedFile.class);

	// Descriptors for which the lock was refused because another object in this JVM holds
	// the lock. (The other object may belong to another application, with its own class
	// loader.) Closing one of these descriptors would release the lock of the other
	// object.
	private static final Queue<FileChannel> NEVER_TO_BE_CLOSED = new ConcurrentLinkedQueue<>();

	// The modification time that lock files get. It is in the future, because programs
	// that clean up temporary directories delete files with an old modification time,
	// even locked files.
	private static final FileTime FAR_FUTURE = FileTime.from(Instant.parse("2038-01-01T00:00:00Z"));

	private final Path path;

	private final Path lockPath;

	private final Path temporary;

	private final FileChannel channel;

	private final Map<String, String> place;

	private LockedFile(Path stateDir, Path path) throws IOException {
		this.path = path;
		this.lockPath = sibling(".lock");
		this.temporary = sibling(".tmp");
		createDirectory(path.getParent(), stateDir);
		try {
			create(this.lockPath, new byte[0]);
			Files.setLastModifiedTime(this.lockPath, FAR_FUTURE);
		}
		catch (FileAlreadyExistsException ex) {
			logger.trace("{} exists already", this.lockPath);
		}
		this.place = place(identity(this.lockPath));
		this.channel = FileChannel.open(this.lockPath, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Opens a file for exclusive use, whether it exists or not.
	 * @param stateDir the directory of all state files
	 * @param path the file, at any depth below that directory
	 * @return the file, locked until it is closed
	 * @throws StateFileException if the file is in use or cannot be used
	 */
	// Only one file is opened or closed at a time, because closing a descriptor can
	// release the lock that another object has just got.
	static LockedFile open(Path stateDir, Path path) {
		synchronized (LockedFile.class) {
			LockedFile opened = null;
			try {
				opened = new LockedFile(stateDir, path);
				if (opened.channel.tryLock() == null) {
					throw inUse(path);
				}
				// The lock file is forced to disk even if it existed before, because the
				// process that created it may have been killed before it forced the file
				// to disk.
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

	private static StateFileException inUse(Path path) {
		return new StateFileException(Reason.IN_USE, "The state file %s is in use".formatted(path), null);
	}

	private static StateFileException unusable(Path path, Exception cause) {
		// some exceptions, such as AccessDeniedException, give the reason only in their
		// class name
		String reason = (cause.getClass() == IOException.class) ? cause.getMessage()
				: "%s: %s".formatted(cause.getClass().getSimpleName(), cause.getMessage());
		return new StateFileException(Reason.UNUSABLE, "The state file %s cannot be used: %s".formatted(path, reason),
				cause);
	}

	// creates a directory and its missing parents, and makes them survive a crash
	private static void createDirectory(@Nullable Path directory, Path stateDir) throws IOException {
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
		// Below the state directory, even an existing directory may not be on disk yet,
		// because the process that created it may have been killed before it forced the
		// parent to disk.
		if (below || !exists) {
			force(parent);
		}
	}

	// creates a file, and fails if its path exists, even as a symbolic link
	private static void create(Path file, byte[] content) throws IOException {
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

	// forces a directory to disk on Unix, so that its new entries survive a crash; other
	// systems neither need nor allow this call
	private static void force(@Nullable Path directory) throws IOException {
		if (directory != null && isUnix(directory)) {
			try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
				channel.force(true);
			}
		}
	}

	/**
	 * Checks that the file, if it exists, is a regular file. On Unix, also checks that
	 * only the user of this process can replace, read or write the file. The caller must
	 * hold the lock, because this method creates and deletes the temporary file, which
	 * another process could otherwise be using.
	 */
	private void requirePrivate(Path stateDir) throws IOException {
		// If it cannot be determined whether the file exists, the file is treated as
		// existing, so that no new file takes its place. A new file would not record
		// which timestamps were used.
		boolean exists = !Files.notExists(this.path, LinkOption.NOFOLLOW_LINKS);
		if (exists) {
			// throws an exception if the path is not a regular file, because reading from
			// a device or a pipe might never end
			identity(this.path);
		}
		if (!isUnix(stateDir)) {
			return;
		}
		Files.deleteIfExists(this.temporary);
		create(this.temporary, new byte[0]);
		// the ID that the file system records for the user of this process
		int user = number(this.temporary, "uid");
		Files.delete(this.temporary);
		// the state directory may be a mounted volume, so it may belong to root and be
		// writable for a group
		require(stateDir.toRealPath(), List.of(user, ROOT), WORLD_WRITABLE);
		Path own = stateDir;
		for (Path name : stateDir.relativize(this.lockPath)) {
			own = own.resolve(name);
			require(own, List.of(user), ALL_OTHERS);
		}
		if (exists) {
			require(this.path, List.of(user), ALL_OTHERS);
		}
	}

	private static void require(Path path, List<Integer> owners, int forbidden) throws IOException {
		int owner = number(path, "uid");
		int mode = number(path, "mode") & 0777;
		String reason = !owners.contains(owner)
				? "it belongs to user %d, not to the user of this process".formatted(owner)
				: ((mode & forbidden) != 0) ? "other users have permissions on it (mode %o)".formatted(mode) : null;
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

	@Override
	public Map<String, String> identity() {
		try {
			Map<String, String> found = identity(this.lockPath);
			if (!place(found).equals(this.place)) {
				throw new IOException("its identity was %s and is now %s".formatted(this.place, place(found)));
			}
			return found;
		}
		catch (IOException ex) {
			// A process that starts now may find another lock file or none. That process
			// is then not refused, although this process is still running.
			throw new StateFileException(Reason.REPLACED,
					"The lock file %s may have been deleted or replaced while in use: %s".formatted(this.lockPath, ex),
					ex);
		}
	}

	private static Map<String, String> identity(Path file) throws IOException {
		String kind = kind(file);
		if (!kind.equals("a file")) {
			throw new IOException("%s is not a file, but %s".formatted(file, kind));
		}
		if (!isUnix(file)) {
			return Map.of("path", file.toRealPath().toString(), "created",
					String.valueOf(Files.getAttribute(file, "creationTime", LinkOption.NOFOLLOW_LINKS)));
		}
		Map<String, Object> unix = Files.readAttributes(file, "unix:dev,ino,ctime", LinkOption.NOFOLLOW_LINKS);
		return Map.of(DEVICE, String.valueOf(unix.get("dev")), "inode", String.valueOf(unix.get("ino")), CHANGE_TIME,
				String.valueOf(unix.get("ctime")));
	}

	private static String kind(Path path) throws IOException {
		BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class,
				LinkOption.NOFOLLOW_LINKS);
		return attributes.isSymbolicLink() ? "a symbolic link" : attributes.isDirectory() ? "a directory"
				: attributes.isRegularFile() ? "a file" : "a device or a pipe";
	}

	// Leaves out the change time, because chmod and chown update the change time of a
	// file that stays the same.
	private static Map<String, String> place(Map<String, String> identity) {
		Map<String, String> place = new TreeMap<>(identity);
		place.remove(CHANGE_TIME);
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

	// Returns false if the write was interrupted. In this case the disk has not failed,
	// so the caller repeats the write.
	private boolean attempt(byte[] content) throws IOException {
		try {
			Files.deleteIfExists(this.temporary);
			create(this.temporary, content);
			identity();
			Files.move(this.temporary, this.path, StandardCopyOption.ATOMIC_MOVE);
			force(this.path.getParent());
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
				logger.warn("Failed to close the lock file {}. Its lock may be held until the process ends",
						this.lockPath, ex);
			}
		}
	}

}
