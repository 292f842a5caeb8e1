// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

import io.leaf.snowflake.lease.file.StateFile.Storage;
import org.jspecify.annotations.Nullable;

/**
 * A disk with one file, whose writes a test can make fail. Reads return the content of
 * the page cache, as in an operating system; only the content on disk survives a power
 * failure.
 */
final class SimulatedDisk implements BiFunction<Path, Path, Storage> {

	byte @Nullable [] pageCache;

	byte @Nullable [] disk;

	final Map<String, String> identity = new LinkedHashMap<>(
			Map.of("device", "1", "inode", "7", "change-time", "2026-11-18T11:06:40.01Z"));

	private @Nullable Failure failure;

	void fail(@Nullable Failure next) {
		this.failure = next;
	}

	void powerFailure() {
		this.pageCache = this.disk;
	}

	/**
	 * Writes the page cache to disk.
	 */
	void writeBack() {
		this.disk = this.pageCache;
	}

	@Override
	public Storage apply(Path stateDir, Path path) {
		return new SimulatedFile();
	}

	enum Failure {

		/**
		 * The temporary file cannot be written.
		 */
		NOT_WRITTEN,

		/**
		 * The new name cannot be forced to disk.
		 */
		NOT_FORCED

	}

	private final class SimulatedFile implements Storage {

		@Override
		public Map<String, String> identity() {
			return Map.copyOf(SimulatedDisk.this.identity);
		}

		@Override
		public byte @Nullable [] read(int max) {
			byte[] content = SimulatedDisk.this.pageCache;
			return (content != null) ? Arrays.copyOf(content, Math.min(max, content.length)) : null;
		}

		@Override
		public void replace(byte[] content) throws IOException {
			Failure next = SimulatedDisk.this.failure;
			SimulatedDisk.this.failure = null;
			if (next != Failure.NOT_WRITTEN) {
				SimulatedDisk.this.pageCache = content.clone();
			}
			if (next != null) {
				throw new IOException("No space left on device");
			}
			SimulatedDisk.this.disk = SimulatedDisk.this.pageCache;
		}

		@Override
		public void close() {
		}

	}

}
