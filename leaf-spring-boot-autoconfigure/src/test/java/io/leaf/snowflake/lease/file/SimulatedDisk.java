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
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A file that fails as it is told to. What is read back comes from memory, as in an
 * operating system; only what is on disk is left after a power failure.
 */
final class SimulatedDisk implements Storage.Opener {

	static final int ALL_SECTORS = 0xff;

	private static final int SECTOR = Slot.SIZE / 8;

	byte[] memory = {};

	byte[] disk = {};

	String identity = "(dev=1,ino=7)";

	private int writesBeforeFailure = Integer.MAX_VALUE;

	private int writtenAtFailure;

	private int sectorsAtFailure;

	/**
	 * Lets a write fail.
	 * @param before how many writes succeed before
	 * @param written how many bytes arrive in memory
	 * @param sectors which sectors of these also arrive on disk, one bit each. As with
	 * Linux, no later write sees to the others
	 */
	void failWrite(int before, int written, int sectors) {
		this.writesBeforeFailure = before;
		this.writtenAtFailure = written;
		this.sectorsAtFailure = sectors;
	}

	void failNoMore() {
		this.writesBeforeFailure = Integer.MAX_VALUE;
	}

	void powerFailure() {
		this.memory = this.disk.clone();
	}

	/**
	 * Lets the system write what it likes.
	 */
	void writeBack(long sectors) {
		for (int i = 0; i * SECTOR < this.memory.length; i++) {
			if ((sectors & (1L << i)) != 0) {
				this.disk = copy(this.memory, i * SECTOR, Math.min(SECTOR, this.memory.length - i * SECTOR), this.disk,
						i * SECTOR);
			}
		}
	}

	private static byte[] copy(byte[] from, int fromPosition, int length, byte[] to, int toPosition) {
		if (length == 0) {
			return to;
		}
		byte[] result = Arrays.copyOf(to, Math.max(to.length, toPosition + length));
		System.arraycopy(from, fromPosition, result, toPosition, length);
		return result;
	}

	@Override
	public Storage open(Path path) {
		return new SimulatedFile();
	}

	private final class SimulatedFile implements Storage {

		@Override
		public String identity() {
			return SimulatedDisk.this.identity;
		}

		@Override
		public byte[] read(int max) {
			return Arrays.copyOf(SimulatedDisk.this.memory, Math.min(max, SimulatedDisk.this.memory.length));
		}

		@Override
		public void write(long position, byte[] bytes) throws IOException {
			boolean fail = SimulatedDisk.this.writesBeforeFailure-- <= 0;
			int written = fail ? SimulatedDisk.this.writtenAtFailure : bytes.length;
			int sectors = fail ? SimulatedDisk.this.sectorsAtFailure : ALL_SECTORS;
			SimulatedDisk.this.memory = copy(bytes, 0, written, SimulatedDisk.this.memory, (int) position);
			for (int i = 0; i * SECTOR < written; i++) {
				if ((sectors & (1 << i)) != 0) {
					SimulatedDisk.this.disk = copy(bytes, i * SECTOR, Math.min(SECTOR, written - i * SECTOR),
							SimulatedDisk.this.disk, (int) position + i * SECTOR);
				}
			}
			if (fail) {
				failNoMore();
				throw new IOException("No space left on device");
			}
		}

		@Override
		public void close() {
		}

	}

}
