// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.text;

import java.util.function.Supplier;

import io.leaf.text.LeafText;
import org.jspecify.annotations.Nullable;

import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConverterRegistry;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.bind.support.WebBindingInitializer;

/**
 * Refuses texts that the format of {@link LeafText @LeafText} cannot parse. For such a
 * text, the application's conversion service throws a {@link ConversionFailedException},
 * and Spring's data binders would then try the property editor for numbers. This editor
 * accepts a plain number for every ID, even if the format masks IDs or adds a check
 * character. Therefore, this class throws an exception of another type.
 *
 * @param delegate the conversion service of the application
 */
record StrictConversionService(ConversionService delegate) implements ConversionService {

	/**
	 * Replaces the conversion service of the data binders of Spring MVC or WebFlux with a
	 * {@code StrictConversionService} that delegates to it.
	 * @param texts supplies the converter to add to the replaced service. The converter
	 * takes precedence over the converters that the application has added
	 */
	static void replaceIn(@Nullable WebBindingInitializer initializer, Supplier<LeafTextConverter> texts) {
		if (initializer instanceof ConfigurableWebBindingInitializer binders && binders.getConversionService() != null
				&& !(binders.getConversionService() instanceof StrictConversionService)) {
			ConversionService service = binders.getConversionService();
			if (service instanceof ConverterRegistry converters) {
				// if two converters convert the same types, the one that was added last
				// is used
				converters.addConverter(texts.get());
			}
			binders.setConversionService(new StrictConversionService(service));
		}
	}

	@Override
	public boolean canConvert(@Nullable Class<?> sourceType, Class<?> targetType) {
		return this.delegate.canConvert(sourceType, targetType);
	}

	@Override
	public boolean canConvert(@Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
		return this.delegate.canConvert(sourceType, targetType);
	}

	@Override
	public <T> @Nullable T convert(@Nullable Object source, Class<T> targetType) {
		return this.delegate.convert(source, targetType);
	}

	@Override
	public @Nullable Object convert(@Nullable Object source, @Nullable TypeDescriptor sourceType,
			TypeDescriptor targetType) {
		try {
			return this.delegate.convert(source, sourceType, targetType);
		}
		catch (ConversionFailedException ex) {
			throw targetType.hasAnnotation(LeafText.class) ? new RefusedException(ex) : ex;
		}
	}

	/**
	 * Thrown if a value cannot be converted to an ID with {@link LeafText @LeafText}. The
	 * data binders do not try another conversion after this exception.
	 */
	private static final class RefusedException extends ConversionException {

		private static final long serialVersionUID = 1L;

		private RefusedException(ConversionFailedException cause) {
			super(String.valueOf(cause.getMessage()), cause);
		}

	}

}
