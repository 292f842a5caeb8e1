// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A tmpfs that a test can fill. It is unmounted when it is closed or this JVM ends.
 */
public final class SmallDisk implements AutoCloseable {

	private static final int KIB = 1024;

	private final SystemChange mount;

	private final List<String> namespaces;

	private final Path directory;

	private final int size;

	private SmallDisk(List<String> unshare, List<String> enter, Path directory, int size) throws IOException {
		Files.createDirectories(directory);
		this.mount = SystemChange.make(unshare, "mount -t tmpfs -o size=$2,mode=755 tmpfs \"$1\"", "umount -l \"$1\"",
				directory.toString(), Integer.toString(size));
		this.namespaces = enter;
		this.directory = directory;
		this.size = size;
	}

	/**
	 * Mounts a disk of 64 KiB in its own mount namespace, which needs no root if the
	 * system allows user namespaces.
	 * @param directory the mount point, for processes that {@link #enter()} the namespace
	 * @throws IOException if the disk cannot be mounted
	 */
	public static SmallDisk mount(Path directory) throws IOException {
		int size = 64 * KIB;
		try {
			return new SmallDisk(List.of("unshare", "-U", "-r", "-m"), List.of("-U", "-m", "--preserve-credentials"),
					directory, size);
		}
		catch (IOException ex) {
			// root needs no user namespace
			return new SmallDisk(List.of("unshare", "-m"), List.of("-m"), directory, size);
		}
	}

	/**
	 * Mounts a disk of 600 MiB that all processes see.
	 * @throws IllegalStateException if this process does not run as root
	 */
	static SmallDisk mountForServer(Path directory) {
		try {
			return new SmallDisk(List.of(), List.of(), directory, 600 * KIB * KIB);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Only root can mount a disk for a server", ex);
		}
	}

	/**
	 * Returns the prefix of a command whose process must see the disk.
	 */
	public List<String> enter() {
		List<String> command = new ArrayList<>(List.of("nsenter", "-t", Long.toString(this.mount.pid())));
		command.addAll(this.namespaces);
		command.add("--");
		return command;
	}

	private Path filler() {
		return Path.of("/proc", Long.toString(this.mount.pid()), "root").resolve(relative()).resolve("filler");
	}

	private Path relative() {
		return Path.of("/").relativize(this.directory.toAbsolutePath());
	}

	/**
	 * Fills the disk.
	 */
	public void fill() {
		try (OutputStream out = Files.newOutputStream(filler())) {
			byte[] block = new byte[4 * KIB];
			for (int written = 0; written <= this.size; written += block.length) {
				out.write(block);
			}
		}
		catch (IOException ex) {
			if (Files.exists(filler())) {
				// the disk is full, as intended
				return;
			}
			throw new IllegalStateException("The disk cannot be filled", ex);
		}
		throw new IllegalStateException("The disk is larger than it should be");
	}

	/**
	 * Frees the space again.
	 */
	public void free() {
		try {
			Files.deleteIfExists(filler());
		}
		catch (IOException ex) {
			throw new IllegalStateException("The disk cannot be emptied", ex);
		}
	}

	@Override
	public void close() {
		this.mount.close();
	}

}
