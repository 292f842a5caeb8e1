// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.faults;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The progress of the threads of a process, in memory that it shares with the process
 * that watches it. Each number has one writer.
 */
final class Progress {

	private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

	private static final int SIZE = 4096;

	private final ByteBuffer memory;

	/**
	 * Opens the shared memory, and creates it if it is missing.
	 */
	Progress(Path file) throws IOException {
		try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
				StandardOpenOption.WRITE)) {
			this.memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE);
		}
	}

	private static int index(IdMode mode, int thread, Number number) {
		return ((mode.ordinal() * DrawingApplication.THREADS + thread) * Number.values().length + number.ordinal())
				* Long.BYTES;
	}

	long get(IdMode mode, int thread, Number number) {
		return (long) LONGS.getAcquire(this.memory, index(mode, thread, number));
	}

	void set(IdMode mode, int thread, Number number, long value) {
		LONGS.setRelease(this.memory, index(mode, thread, number), value);
	}

	long sum(IdMode mode, Number number) {
		long sum = 0;
		for (int thread = 0; thread < DrawingApplication.THREADS; thread++) {
			sum += get(mode, thread, number);
		}
		return sum;
	}

	long max(IdMode mode, Number number) {
		long max = 0;
		for (int thread = 0; thread < DrawingApplication.THREADS; thread++) {
			max = Math.max(max, get(mode, thread, number));
		}
		return max;
	}

	/**
	 * The numbers that a thread reports.
	 */
	enum Number {

		/** How many IDs it has drawn. */
		IDS,

		/** How many calls have ended with an exception of the library. */
		FAILURES,

		/**
		 * The last confirmation of the store: segments fetched, or the horizon of the
		 * lease.
		 */
		CONFIRMED,

		/** How often an ID was not larger than one that was drawn before the call. */
		DESCENTS

	}

	/**
	 * The progress of one thread, written by that thread alone.
	 */
	record ThreadProgress(Progress progress, IdMode mode, int thread) {

		void add(Number number, long count) {
			set(number, this.progress.get(this.mode, this.thread, number) + count);
		}

		void set(Number number, long value) {
			this.progress.set(this.mode, this.thread, number, value);
		}

	}

}
