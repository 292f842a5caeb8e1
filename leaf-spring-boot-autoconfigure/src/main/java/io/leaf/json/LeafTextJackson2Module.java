// SPDX-License-Identifier: Apache-2.0

package io.leaf.json;

import java.io.IOException;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import io.leaf.InvalidRequestException;
import io.leaf.text.IdFormat;
import io.leaf.text.IdFormats;
import io.leaf.text.LeafText;
import org.jspecify.annotations.Nullable;

/**
 * Adds support for {@link LeafText @LeafText} to Jackson 2. Spring Boot registers this
 * module with its own mappers; the application must register it with the mappers that it
 * creates.
 *
 * @see LeafTextModule
 */
public final class LeafTextJackson2Module extends Module {

	private final IdFormats formats;

	/**
	 * Creates a module.
	 * @param formats the text formats of the IDs, by key
	 */
	public LeafTextJackson2Module(IdFormats formats) {
		this.formats = formats;
	}

	@Override
	public String getModuleName() {
		return getClass().getName();
	}

	@Override
	public Version version() {
		return Version.unknownVersion();
	}

	@Override
	public void setupModule(SetupContext context) {
		context.appendAnnotationIntrospector(new Introspector(this.formats));
	}

	private static final class Introspector extends NopAnnotationIntrospector {

		private static final long serialVersionUID = 1L;

		private final transient IdFormats formats;

		private Introspector(IdFormats formats) {
			this.formats = formats;
		}

		@Override
		public @Nullable Object findSerializer(Annotated annotated) {
			IdFormat format = format(annotated, false);
			return (format != null) ? new TextSerializer(format) : null;
		}

		@Override
		public @Nullable Object findContentSerializer(Annotated annotated) {
			IdFormat format = format(annotated, true);
			return (format != null) ? new TextSerializer(format) : null;
		}

		@Override
		public @Nullable Object findDeserializer(Annotated annotated) {
			IdFormat format = format(annotated, false);
			return (format != null) ? new TextDeserializer(type(annotated).getRawClass(), format) : null;
		}

		@Override
		public @Nullable Object findContentDeserializer(Annotated annotated) {
			IdFormat format = format(annotated, true);
			return (format != null) ? new TextDeserializer(Long.class, format) : null;
		}

		private @Nullable IdFormat format(Annotated annotated, boolean ofContent) {
			LeafText annotation = annotated.getAnnotation(LeafText.class);
			if (annotation == null) {
				return null;
			}
			JavaType type = type(annotated);
			JavaType content = type.getContentType();
			boolean isContent = LeafTextTypes.isContent(type.getRawClass(),
					(content != null) ? content.getRawClass() : null);
			return (isContent == ofContent) ? this.formats.of(annotation.value()) : null;
		}

		/**
		 * Returns the type of a property. For a setter, this is the type of the
		 * parameter.
		 */
		private static JavaType type(Annotated annotated) {
			return (annotated instanceof AnnotatedMethod method && method.getParameterCount() == 1)
					? method.getParameterType(0) : annotated.getType();
		}

	}

	private static final class TextSerializer extends StdScalarSerializer<Long> {

		private static final long serialVersionUID = 1L;

		private final transient IdFormat format;

		private TextSerializer(IdFormat format) {
			super(Long.class);
			this.format = format;
		}

		@Override
		public void serialize(Long id, JsonGenerator generator, SerializerProvider provider) throws IOException {
			generator.writeString(this.format.format(id));
		}

	}

	private static final class TextDeserializer extends StdScalarDeserializer<Long> {

		private static final long serialVersionUID = 1L;

		private final transient IdFormat format;

		private TextDeserializer(Class<?> type, IdFormat format) {
			super(type);
			this.format = format;
		}

		@Override
		public @Nullable Long deserialize(JsonParser parser, DeserializationContext context) throws IOException {
			if (!parser.hasToken(JsonToken.VALUE_STRING) && !parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
				return (Long) context.handleUnexpectedToken(getValueType(context), parser);
			}
			try {
				return this.format.parse(parser.getText());
			}
			catch (InvalidRequestException ex) {
				return context.reportInputMismatch(this, "%s", ex.getMessage());
			}
		}

		@Override
		public @Nullable Long getNullValue(DeserializationContext context) throws JsonMappingException {
			if (handledType() != long.class) {
				return null;
			}
			if (context.isEnabled(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)) {
				return context.reportInputMismatch(this, "An ID of type long must not be null");
			}
			return 0L;
		}

	}

}
