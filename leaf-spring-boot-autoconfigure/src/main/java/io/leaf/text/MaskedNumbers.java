// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A keyed permutation of the numbers below 2^bits. Without the secret, masked numbers
 * reveal neither the order nor the count of the original numbers.
 * <p>
 * The permutation is a balanced Feistel network of ten rounds over 2m bits, where 2m is
 * the number of bits rounded up to an even number. A round replaces the halves (L, R)
 * with (R, L xor F(round, R)), which can be undone for any function F. To calculate
 * F(round, R), HMAC-SHA-256 is applied to a message that consists of one byte with the
 * round (0 to 9) and four big-endian bytes with R. The first four bytes of the result are
 * read as a big-endian number, and the m lowest bits of this number are F(round, R).
 * <p>
 * The key of this HMAC is the result of another HMAC-SHA-256. The key of the other HMAC
 * is the secret. The message of the other HMAC consists of the text
 * {@code io.leaf.text.masked}, one byte with the number of bits of the masked numbers,
 * and the key of the IDs in UTF-8. Even with the same secret, the permutations therefore
 * differ between keys of IDs and between numbers of bits.
 * <p>
 * If the number of bits is odd, the network permutes twice as many numbers as there are
 * below 2^bits. As long as the result is not below 2^bits, the network is applied to the
 * result again ("cycle walking"). Every number lies on a cycle of the network, so the
 * repetition ends at the original number at the latest. With this repetition, the network
 * permutes the numbers below 2^bits. If the number of bits is odd, the network is applied
 * twice on average.
 */
final class MaskedNumbers {

	/**
	 * The smallest number of bits. With fewer bits, an attacker who has seen a
	 * considerable part of the masked numbers could unmask the others. Revision 1 of NIST
	 * SP 800-38G (a draft) requires that a cipher of this kind permutes at least a
	 * million numbers.
	 */
	static final int MIN_BITS = 20;

	static final int MAX_BITS = Long.SIZE - 1;

	private static final String ALGORITHM = "HmacSHA256";

	private static final String LABEL = "io.leaf.text.masked";

	private static final int ROUNDS = 10;

	private final Key key;

	private final int bits;

	private final int halfBits;

	private final long halfMask;

	MaskedNumbers(IdSecret secret, String key, int bits) {
		this.bits = bits;
		this.halfBits = (bits + 1) / 2;
		this.halfMask = (1L << this.halfBits) - 1;
		Mac mac = mac(new SecretKeySpec(secret.bytes(), ALGORITHM));
		mac.update(LABEL.getBytes(StandardCharsets.US_ASCII));
		mac.update((byte) bits);
		this.key = new SecretKeySpec(mac.doFinal(key.getBytes(StandardCharsets.UTF_8)), ALGORITHM);
	}

	private static Mac mac(Key key) {
		try {
			Mac mac = Mac.getInstance(ALGORITHM);
			mac.init(key);
			return mac;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Every Java platform must support " + ALGORITHM, ex);
		}
	}

	/**
	 * Masks a number.
	 * @param number a number below 2^bits
	 * @return a number below 2^bits
	 */
	long mask(long number) {
		// each call has a Mac of its own, because a Mac is not thread-safe
		Mac mac = mac(this.key);
		long masked = number;
		do {
			masked = permute(masked, mac);
		}
		while (!isInRange(masked));
		return masked;
	}

	/**
	 * Undoes {@link #mask}.
	 * @param masked a number below 2^bits
	 * @return the number that was masked
	 */
	long unmask(long masked) {
		Mac mac = mac(this.key);
		long number = masked;
		do {
			number = permuteBack(number, mac);
		}
		while (!isInRange(number));
		return number;
	}

	private boolean isInRange(long number) {
		return (number >>> this.bits) == 0;
	}

	private long permute(long number, Mac mac) {
		long left = number >>> this.halfBits;
		long right = number & this.halfMask;
		for (int round = 0; round < ROUNDS; round++) {
			long next = left ^ f(round, right, mac);
			left = right;
			right = next;
		}
		return left << this.halfBits | right;
	}

	private long permuteBack(long number, Mac mac) {
		long left = number >>> this.halfBits;
		long right = number & this.halfMask;
		for (int round = ROUNDS - 1; round >= 0; round--) {
			long previous = right ^ f(round, left, mac);
			right = left;
			left = previous;
		}
		return left << this.halfBits | right;
	}

	private long f(int round, long half, Mac mac) {
		mac.update((byte) round);
		mac.update(bytes(half));
		byte[] result = mac.doFinal();
		return ((result[0] & 0xffL) << 24 | (result[1] & 0xffL) << 16 | (result[2] & 0xffL) << 8 | (result[3] & 0xffL))
				& this.halfMask;
	}

	private static byte[] bytes(long half) {
		return new byte[] { (byte) (half >> 24), (byte) (half >> 16), (byte) (half >> 8), (byte) half };
	}

}
