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
 * Converts the texts of parameters and properties with {@link LeafText @LeafText} to IDs,
 * and these IDs to texts. Spring's converters of collections, arrays and optionals apply
 * it to the elements.
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
	 * Converts a value; an empty text to {@code null}, as Spring's converter of numbers
	 * does.
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
	 * Returns the annotation of the ID, which is either the source or the target.
	 */
	private static @Nullable LeafText annotation(TypeDescriptor sourceType, TypeDescriptor targetType) {
		TypeDescriptor id = (sourceType.getType() == String.class) ? targetType : sourceType;
		return id.getAnnotation(LeafText.class);
	}

}
