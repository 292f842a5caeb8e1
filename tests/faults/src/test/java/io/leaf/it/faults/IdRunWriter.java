// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes IDs to a file as runs of consecutive ones: the distance of a run's first ID from
 * the last ID before it, and the run's length, seven bits per byte. A batch is passed to
 * the system in one write, so that it outlives the process. For use by one thread.
 */
final class IdRunWriter implements Closeable {

	private final OutputStream file;

	private final ByteArrayOutputStream batch = new ByteArrayOutputStream();

	private long last;

	private long start;

	private long length;

	IdRunWriter(Path path) throws IOException {
		this.file = Files.newOutputStream(path);
	}

	void add(long id) {
		if (this.length > 0 && id == this.start + this.length) {
			this.length++;
			return;
		}
		endRun();
		this.start = id;
		this.length = 1;
	}

	private void endRun() {
		if (this.length > 0) {
			long distance = this.start - this.last;
			// zigzag encoding, because a run that does not ascend must also be found
			number((distance << 1) ^ (distance >> 63));
			number(this.length);
			this.last = this.start + this.length - 1;
			this.length = 0;
		}
	}

	private void number(long value) {
		long rest = value;
		while ((rest & ~0x7FL) != 0) {
			this.batch.write((int) (rest & 0x7F | 0x80));
			rest >>>= 7;
		}
		this.batch.write((int) rest);
	}

	/**
	 * Writes the IDs that were added.
	 */
	void flush() throws IOException {
		endRun();
		this.file.write(this.batch.toByteArray());
		this.batch.reset();
	}

	@Override
	public void close() throws IOException {
		flush();
		this.file.close();
	}

}
