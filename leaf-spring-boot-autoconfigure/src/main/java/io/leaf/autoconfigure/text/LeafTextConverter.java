// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.text;

import java.util.Set;

import io.leaf.text.IdFormat;
import io.leaf.text.IdFormats;
import io.leaf.text.LeafText;
import org.jspecify.annotations.Nullable;

import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;

/**
 * Converts the text of a parameter or property with {@link LeafText @LeafText} to an ID,
 * and the ID to its text. For a collection, an array or an {@code Optional}, Spring's
 * converters call this converter for each element.
 */
final class LeafTextConverter implements ConditionalGenericConverter {

	private final IdFormats formats;

	LeafTextConverter(IdFormats formats) {
		this.formats = formats;
	}

	@Override
	public Set<ConvertiblePair> getConvertibleTypes() {
		return Set.of(new ConvertiblePair(String.class, Long.class), new ConvertiblePair(Long.class, String.class));
	}

	@Override
	public boolean matches(TypeDescriptor sourceType, TypeDescriptor targetType) {
		return annotation(sourceType, targetType) != null;
	}

	/**
	 * Converts a text to an ID, or an ID to its text. Converts an empty text to {@code
	 * null}, as Spring's converter of numbers does.
	 */
	@Override
	public @Nullable Object convert(@Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
		LeafText annotation = annotation(sourceType, targetType);
		if (source == null || annotation == null || source.equals("")) {
			return null;
		}
		IdFormat format = this.formats.of(annotation.value());
		return (source instanceof String text) ? format.parse(text) : (Object) format.format((Long) source);
	}

	/**
	 * Returns the annotation of the ID. The ID is the target if the source is a text,
	 * otherwise the source.
	 */
	private static @Nullable LeafText annotation(TypeDescriptor sourceType, TypeDescriptor targetType) {
		TypeDescriptor id = (sourceType.getType() == String.class) ? targetType : sourceType;
		return id.getAnnotation(LeafText.class);
	}

}
