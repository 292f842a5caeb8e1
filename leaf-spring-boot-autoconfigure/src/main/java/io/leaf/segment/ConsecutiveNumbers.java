// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

/**
 * Creates arrays of consecutive numbers.
 */
final class ConsecutiveNumbers {

	// The JIT compiler emits vector instructions for a loop that adds a number to the
	// elements of an array, but not for a loop that counts up. The numbers are therefore
	// computed from an array of offsets.

	private static final long[] OFFSETS = new long[1024];

	static {
		for (int i = 0; i < OFFSETS.length; i++) {
			OFFSETS[i] = i;
		}
	}

	private ConsecutiveNumbers() {
	}

	/**
	 * Creates an array of consecutive numbers.
	 * @param first the first number
	 * @param count how many numbers
	 */
	static long[] of(long first, int count) {
		long[] numbers = new long[count];
		if (count > OFFSETS.length) {
			put(numbers, 0, count, first);
			return numbers;
		}
		// because the loop ends at the array's own length, the JIT compiler omits the
		// bounds checks
		for (int i = 0; i < numbers.length; i++) {
			numbers[i] = OFFSETS[i] + first;
		}
		return numbers;
	}

	/**
	 * Sets {@code count} elements of an array to consecutive numbers.
	 * @param numbers the array
	 * @param index the index of the first element to set
	 * @param count how many elements to set
	 * @param first the value of the first element to set
	 */
	static void put(long[] numbers, int index, int count, long first) {
		for (int done = 0; done < count; done += OFFSETS.length) {
			putSome(numbers, index + done, Math.min(count - done, OFFSETS.length), first + done);
		}
	}

	private static void putSome(long[] numbers, int index, int count, long first) {
		for (int i = 0; i < count; i++) {
			numbers[index + i] = OFFSETS[i] + first;
		}
	}

}
