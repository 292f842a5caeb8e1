// SPDX-License-Identifier: Apache-2.0

package io.leaf.json;

import io.leaf.InvalidRequestException;
import io.leaf.text.IdFormat;
import io.leaf.text.IdFormats;
import io.leaf.text.LeafText;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.Version;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/**
 * Adds support for {@link LeafText @LeafText} to Jackson 3. Spring Boot registers this
 * module with its own mappers; the application must register it with the mappers that it
 * creates.
 *
 * @see LeafTextJackson2Module
 */
public final class LeafTextModule extends JacksonModule {

	private final IdFormats formats;

	/**
	 * Creates a module.
	 * @param formats the text formats of the IDs, by key
	 */
	public LeafTextModule(IdFormats formats) {
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
		public @Nullable Object findSerializer(MapperConfig<?> config, Annotated annotated) {
			IdFormat format = format(annotated, false);
			return (format != null) ? new TextSerializer(format) : null;
		}

		@Override
		public @Nullable Object findContentSerializer(MapperConfig<?> config, Annotated annotated) {
			IdFormat format = format(annotated, true);
			return (format != null) ? new TextSerializer(format) : null;
		}

		@Override
		public @Nullable Object findDeserializer(MapperConfig<?> config, Annotated annotated) {
			IdFormat format = format(annotated, false);
			return (format != null) ? new TextDeserializer(type(annotated).getRawClass(), format) : null;
		}

		@Override
		public @Nullable Object findContentDeserializer(MapperConfig<?> config, Annotated annotated) {
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

		private final IdFormat format;

		private TextSerializer(IdFormat format) {
			super(Long.class);
			this.format = format;
		}

		@Override
		public void serialize(Long id, JsonGenerator generator, SerializationContext context) {
			generator.writeString(this.format.format(id));
		}

	}

	private static final class TextDeserializer extends StdScalarDeserializer<Long> {

		private final IdFormat format;

		private TextDeserializer(Class<?> type, IdFormat format) {
			super(type);
			this.format = format;
		}

		@Override
		public @Nullable Long deserialize(JsonParser parser, DeserializationContext context) {
			if (!parser.hasToken(JsonToken.VALUE_STRING) && !parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
				return (Long) context.handleUnexpectedToken(getValueType(context), parser);
			}
			try {
				return this.format.parse(parser.getString());
			}
			catch (InvalidRequestException ex) {
				return context.reportInputMismatch(this, "%s", ex.getMessage());
			}
		}

		@Override
		public @Nullable Long getNullValue(DeserializationContext context) {
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
