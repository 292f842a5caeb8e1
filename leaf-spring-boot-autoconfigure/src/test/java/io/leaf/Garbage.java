// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Random content, generated from a seed: a different {@code -Dleaf.seed=…} generates
 * different content.
 */
public final class Garbage {

	/**
	 * The seed of the random content.
	 */
	public static final long SEED = Long.getLong("leaf.seed", 20261121);

	private static final List<String> NUMBERS = List.of("-1", "0", "-0", "+1", "1e3", "1.5", "NaN", "0x1F", "007",
			"-9223372036854775808", "9223372036854775807", "9223372036854775808", "253402300799999", "253402300800000",
			"99999999999999999999999999999999", "１２３", "true", "null", "\"\"", "\"soon\"", "[]", "{}", "[1]",
			"{\"a\":1}", "");

	private final Random random = new Random(SEED);

	/**
	 * Prints the seed.
	 * @param what the content that is generated from it
	 */
	public Garbage(String what) {
		System.out.printf("%s: -Dleaf.seed=%d%n", what, SEED);
	}

	public Random random() {
		return this.random;
	}

	/**
	 * Corrupts valid content: truncates it, changes some of its bits or bytes, replaces
	 * its numbers and texts, or empties it.
	 * @param valid the valid content
	 * @return different content, or by chance the same
	 */
	public byte[] of(byte[] valid) {
		return switch (this.random.nextInt(8)) {
			case 0 -> Arrays.copyOf(valid, this.random.nextInt(valid.length + 1));
			case 1 -> bytes(this.random.nextInt(300));
			case 2 -> flipped(valid, 1);
			case 3 -> flipped(valid, 1 + this.random.nextInt(20));
			case 4 -> spliced(valid, bytes(1 + this.random.nextInt(8)), this.random.nextInt(8));
			// a piece of it repeated elsewhere
			case 5 -> spliced(valid, piece(valid), this.random.nextInt(3) * this.random.nextInt(valid.length));
			default -> withOtherValues(valid);
		};
	}

	private byte[] bytes(int length) {
		byte[] bytes = new byte[length];
		this.random.nextBytes(bytes);
		return bytes;
	}

	private byte[] flipped(byte[] valid, int bits) {
		byte[] flipped = valid.clone();
		for (int i = 0; i < bits; i++) {
			flipped[this.random.nextInt(valid.length)] ^= (byte) (1 << this.random.nextInt(8));
		}
		return flipped;
	}

	private byte[] piece(byte[] valid) {
		int from = this.random.nextInt(valid.length);
		return Arrays.copyOfRange(valid, from, from + this.random.nextInt(valid.length - from) + 1);
	}

	private byte[] spliced(byte[] valid, byte[] piece, int replaced) {
		int from = this.random.nextInt(valid.length + 1);
		int to = Math.min(valid.length, from + replaced);
		byte[] spliced = Arrays.copyOf(valid, from + piece.length + valid.length - to);
		System.arraycopy(piece, 0, spliced, from, piece.length);
		System.arraycopy(valid, to, spliced, from + piece.length, valid.length - to);
		return spliced;
	}

	private byte[] withOtherValues(byte[] valid) {
		String text = new String(valid, StandardCharsets.UTF_8);
		String pattern = this.random.nextBoolean() ? "(?<=[:=])[0-9]+" : "(?<=[:=])\"[^\"]*\"|(?<=[:=])[^\"\\s]+";
		return text.replaceFirst(pattern, number()).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Returns random content for a place where a number is expected.
	 * @return a number, possibly too large, or other text
	 */
	public String number() {
		return NUMBERS.get(this.random.nextInt(NUMBERS.size()));
	}

}
