// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A disk of 64 KiB that a test can fill: a tmpfs in its own mount namespace, which needs
 * no root if the system allows user namespaces. It disappears with the process that holds
 * it, which ends with this one.
 */
final class SmallDisk implements AutoCloseable {

	private final Process holder;

	private final List<String> namespaces;

	private final Path directory;

	private SmallDisk(Process holder, List<String> namespaces, Path directory) {
		this.holder = holder;
		this.namespaces = namespaces;
		this.directory = directory;
	}

	/**
	 * Mounts a disk.
	 * @param directory its directory in processes that {@link #enter()} the namespace
	 * @throws IOException if that is not possible here
	 */
	static SmallDisk mount(Path directory) throws IOException {
		Files.createDirectories(directory);
		try {
			return mount(directory, List.of("-U", "-r", "-m"), List.of("-U", "-m", "--preserve-credentials"));
		}
		catch (IOException ex) {
			// root needs no user namespace
			return mount(directory, List.of("-m"), List.of("-m"));
		}
	}

	private static SmallDisk mount(Path directory, List<String> unshare, List<String> enter) throws IOException {
		List<String> command = new ArrayList<>(List.of("unshare"));
		command.addAll(unshare);
		command.addAll(List.of("sh", "-c",
				"mount -t tmpfs -o size=64k,mode=700 tmpfs \"$0\" && echo mounted && exec cat", directory.toString()));
		Process holder = new ProcessBuilder(command).redirectErrorStream(true).start();
		String answer = holder.inputReader().readLine();
		if (!"mounted".equals(answer)) {
			holder.destroyForcibly();
			throw new IOException("No mount namespace to be had: " + answer);
		}
		return new SmallDisk(holder, enter, directory);
	}

	/**
	 * Returns the prefix of a command that is to see the disk.
	 */
	List<String> enter() {
		List<String> command = new ArrayList<>(List.of("nsenter", "-t", Long.toString(this.holder.pid())));
		command.addAll(this.namespaces);
		command.add("--");
		return command;
	}

	private Path filler() {
		return Path.of("/proc", Long.toString(this.holder.pid()), "root").resolve(relative()).resolve("filler");
	}

	private Path relative() {
		return Path.of("/").relativize(this.directory.toAbsolutePath());
	}

	/**
	 * Fills the disk.
	 */
	void fill() {
		try (OutputStream out = Files.newOutputStream(filler())) {
			byte[] block = new byte[4096];
			for (int i = 0; i < 64; i++) {
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
	void free() {
		try {
			Files.deleteIfExists(filler());
		}
		catch (IOException ex) {
			throw new IllegalStateException("The disk cannot be emptied", ex);
		}
	}

	@Override
	public void close() {
		this.holder.destroyForcibly();
	}

}
