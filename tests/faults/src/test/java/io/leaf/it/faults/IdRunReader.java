// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the file of an {@link IdRunWriter}, run by run. An incomplete run at the end of
 * the file, whose writer was killed, is ignored.
 */
final class IdRunReader implements Closeable {

	static final int BUFFER = 8192;

	private final Path path;

	private final InputStream file;

	private long first;

	private long last;

	IdRunReader(Path path) throws IOException {
		this.path = path;
		this.file = new BufferedInputStream(Files.newInputStream(path), BUFFER);
	}

	/**
	 * Advances to the next run.
	 * @return whether there is one
	 */
	boolean next() throws IOException {
		try {
			long distance = number();
			long length = number();
			this.first = this.last + ((distance >>> 1) ^ -(distance & 1));
			this.last = this.first + length - 1;
			return true;
		}
		catch (EOFException ex) {
			return false;
		}
	}

	private long number() throws IOException {
		long value = 0;
		for (int shift = 0;; shift += 7) {
			int next = this.file.read();
			if (next < 0) {
				throw new EOFException();
			}
			value |= (next & 0x7FL) << shift;
			if (next < 0x80) {
				return value;
			}
		}
	}

	/**
	 * Returns the run's first ID.
	 */
	long first() {
		return this.first;
	}

	/**
	 * Returns the run's last ID.
	 */
	long last() {
		return this.last;
	}

	@Override
	public void close() throws IOException {
		this.file.close();
	}

	@Override
	public String toString() {
		return this.path.getFileName().toString();
	}

}
