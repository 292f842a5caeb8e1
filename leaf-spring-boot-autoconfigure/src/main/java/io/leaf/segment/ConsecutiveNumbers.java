// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

/**
 * Arrays of numbers in a row.
 */
final class ConsecutiveNumbers {

	// Adding to numbers that stand in an array already is a loop that the compiler turns
	// into vector instructions; counting up is not.

	private static final long[] OFFSETS = new long[1024];

	static {
		for (int i = 0; i < OFFSETS.length; i++) {
			OFFSETS[i] = i;
		}
	}

	private ConsecutiveNumbers() {
	}

	/**
	 * Creates an array.
	 * @param first the first number
	 * @param count how many
	 */
	static long[] of(long first, int count) {
		long[] numbers = new long[count];
		if (count > OFFSETS.length) {
			put(numbers, 0, count, first);
			return numbers;
		}
		// With the array's own length as the bound, the compiler leaves all checks out.
		for (int i = 0; i < numbers.length; i++) {
			numbers[i] = OFFSETS[i] + first;
		}
		return numbers;
	}

	/**
	 * Sets {@code count} elements of an array.
	 * @param numbers the array
	 * @param index the index of the first of them
	 * @param count how many to set
	 * @param first the number that the first of them gets
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
