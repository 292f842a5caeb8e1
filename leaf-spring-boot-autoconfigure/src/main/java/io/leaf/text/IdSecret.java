// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.nio.charset.StandardCharsets;

/**
 * A secret that masks numbers, together with its ID. A masked number begins with the ID
 * of its secret, so a text that was masked with a former secret can be parsed as long as
 * that secret is configured.
 *
 * @see IdFormat
 */
public final class IdSecret {

	/**
	 * The smallest number of bytes of a secret.
	 */
	public static final int MIN_BYTES = 16;

	private static final String RULE = "A secret must have the form ID:SECRET, in which ID is one digit or one letter other than I, L, O and U, and SECRET has at least %d bytes that cannot be guessed, such as the output of 'openssl rand -base64 24'"
		.formatted(MIN_BYTES);

	private final char id;

	private final byte[] bytes;

	private IdSecret(char id, byte[] bytes) {
		this.id = id;
		this.bytes = bytes;
	}

	/**
	 * Creates a secret from a text of the form {@code ID:SECRET}.
	 * @param value a digit, or an upper-case or lower-case letter other than I, L, O and
	 * U, then a colon, then the secret, which has at least {@value #MIN_BYTES} bytes in
	 * UTF-8. Whitespace around the text is ignored
	 * @return the secret
	 * @throws IllegalArgumentException if the text has another form; the message does not
	 * contain the text
	 */
	public static IdSecret of(String value) {
		// Spring Boot trims the elements of a list, but not a single value
		String text = value.trim();
		if (text.length() < 2 || text.charAt(1) != ':') {
			throw new IllegalArgumentException(RULE);
		}
		char id = Character.toUpperCase(text.charAt(0));
		if (!Alphabet.CROCKFORD.contains(id)) {
			throw new IllegalArgumentException(RULE);
		}
		byte[] bytes = text.substring(2).getBytes(StandardCharsets.UTF_8);
		if (bytes.length < MIN_BYTES) {
			throw new IllegalArgumentException(RULE + ". This one has %d bytes".formatted(bytes.length));
		}
		return new IdSecret(id, bytes);
	}

	/**
	 * Returns the ID.
	 * @return a digit or an upper-case letter
	 */
	public char id() {
		return this.id;
	}

	byte[] bytes() {
		return this.bytes;
	}

	/**
	 * Returns a text that contains the ID but not the secret.
	 */
	@Override
	public String toString() {
		return "secret " + this.id;
	}

}
