// SPDX-License-Identifier: Apache-2.0

package io.leaf.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The answer of a Leaf server. Fields that a later version of the server adds are
 * ignored.
 */
public final class Answer {

	private final Map<?, ?> fields;

	Answer(Map<?, ?> fields) {
		this.fields = fields;
	}

	/**
	 * Returns whether the answer has a field.
	 */
	public boolean has(String name) {
		return this.fields.get(name) != null;
	}

	/**
	 * Returns a number.
	 * @throws LeafServerException if the field is missing or is not a number
	 */
	public long number(String name) {
		try {
			return Long.parseLong(String.valueOf(this.fields.get(name)));
		}
		catch (NumberFormatException ex) {
			throw invalid(name, ex);
		}
	}

	/**
	 * Returns a time.
	 * @throws LeafServerException if the field is missing or is not a time
	 */
	public Instant time(String name) {
		return time(name, this.fields.get(name));
	}

	/**
	 * Returns a list of times.
	 * @throws LeafServerException if the field is missing or is not such a list
	 */
	public List<Instant> times(String name) {
		return list(name).stream().map((item) -> time(name, item)).toList();
	}

	private Instant time(String name, @Nullable Object text) {
		try {
			return Instant.parse(String.valueOf(text));
		}
		catch (DateTimeException ex) {
			throw invalid(name, ex);
		}
	}

	/**
	 * Returns whether a field is {@code true}.
	 */
	public boolean isTrue(String name) {
		// some parsers return the text "true" instead of the boolean
		return "true".equals(String.valueOf(this.fields.get(name)));
	}

	/**
	 * Returns a text. Servers URL-encode texts, and this method decodes them.
	 * @throws LeafServerException if the field is missing or is not such a text
	 */
	public String text(String name) {
		return decode(name, this.fields.get(name));
	}

	/**
	 * Returns a list of texts. Servers URL-encode texts, and this method decodes them.
	 * @throws LeafServerException if the field is missing or is not such a list
	 */
	public List<String> texts(String name) {
		return list(name).stream().map((item) -> decode(name, item)).toList();
	}

	private String decode(String name, @Nullable Object value) {
		try {
			if (value instanceof String text) {
				return URLDecoder.decode(text, StandardCharsets.UTF_8);
			}
		}
		catch (IllegalArgumentException ex) {
			throw invalid(name, ex);
		}
		throw invalid(name, null);
	}

	/**
	 * Returns a list of JSON objects.
	 * @throws LeafServerException if the field is missing or is not such a list
	 */
	public List<Answer> answers(String name) {
		return list(name).stream().map((item) -> {
			if (item instanceof Map<?, ?> map) {
				return new Answer(map);
			}
			throw invalid(name, null);
		}).toList();
	}

	private List<?> list(String name) {
		if (this.fields.get(name) instanceof List<?> list) {
			return list;
		}
		throw invalid(name, null);
	}

	private LeafServerException invalid(String name, @Nullable Exception cause) {
		return new LeafServerException(
				"The field '%s' of the server's answer is '%s', which is not valid. Check that leaf.server.urls are those of Leaf servers"
					.formatted(name, this.fields.get(name)),
				cause, false);
	}

}
