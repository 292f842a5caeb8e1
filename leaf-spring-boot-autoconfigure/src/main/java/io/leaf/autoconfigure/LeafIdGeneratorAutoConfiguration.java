// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import io.leaf.IdGenerationException;
import io.leaf.IdGenerator;
import io.leaf.autoconfigure.properties.KeyPropertyNames;
import io.leaf.autoconfigure.properties.LeafProperties.Mode;
import io.leaf.autoconfigure.properties.LeafProperties;
import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.autoconfigure.properties.PropertyOrigin;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.autoconfigure.snowflake.LeafSnowflakeAutoConfiguration;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.snowflake.SnowflakeIdGenerator;
import io.leaf.text.IdFormat;
import io.leaf.text.IdFormats;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Auto-configuration of the primary generator, which routes each key to its mode.
 */
@AutoConfiguration(after = { LeafSegmentAutoConfiguration.class, LeafSnowflakeAutoConfiguration.class })
@Conditional(OnAnyModeCondition.class)
@EnableConfigurationProperties(LeafProperties.class)
public final class LeafIdGeneratorAutoConfiguration {

	@Bean(destroyMethod = "")
	@Primary
	@ConditionalOnMissingBean(value = IdGenerator.class,
			ignored = { SegmentIdGenerator.class, SnowflakeIdGenerator.class })
	IdGenerator leafIdGenerator(LeafProperties properties, ConfigurableEnvironment environment,
			ObjectProvider<SegmentIdGenerator> segment, ObjectProvider<SnowflakeIdGenerator> snowflake,
			ObjectProvider<IdFormats> formats) {
		KeyPropertyNames.check(environment);
		Map<Mode, IdGenerator> byMode = new EnumMap<>(Mode.class);
		segment.ifAvailable((generator) -> byMode.put(Mode.SEGMENT, generator));
		snowflake.ifAvailable((generator) -> byMode.put(Mode.SNOWFLAKE, generator));
		Mode only = (byMode.size() == 1) ? byMode.keySet().iterator().next() : Mode.SEGMENT;
		IdGenerator other = of((properties.defaultMode() != null) ? properties.defaultMode() : only,
				"leaf.default-mode", byMode);
		Map<String, IdGenerator> byKey = new HashMap<>();
		properties.keys().forEach((key, settings) -> {
			String name = LeafProperties.name(key);
			IdGenerator generator = (settings.mode() != null) ? of(settings.mode(), name + ".mode", byMode) : other;
			if (generator != byMode.get(Mode.SEGMENT)) {
				requireNone(name, "ordering", settings.ordering());
				requireNone(name, "period", settings.period());
			}
			byKey.put(key, generator);
		});
		formats.ifAvailable((all) -> all.byKey().forEach((key, format) -> {
			if (byKey.getOrDefault(key, other) instanceof SnowflakeIdGenerator generator) {
				checkFits(key, format, generator.layout().maxId(), environment);
			}
		}));
		byKey.values().removeIf((generator) -> generator == other);
		return byKey.isEmpty() ? other : new RoutingIdGenerator(Map.copyOf(byKey), other);
	}

	private static void requireNone(String name, String setting, @Nullable Enum<?> value) {
		if (value != null) {
			throw new InvalidConfigurationPropertyValueException(name + "." + setting,
					value.name().toLowerCase(Locale.ROOT),
					"The property applies to segment mode only, but the key has snowflake IDs. Remove the property, or set %s.mode=segment"
						.formatted(name));
		}
	}

	private static IdGenerator of(Mode mode, String property, Map<Mode, IdGenerator> byMode) {
		IdGenerator generator = byMode.get(mode);
		if (generator == null) {
			String enabled = "leaf.%s.enabled".formatted(mode.name().toLowerCase(Locale.ROOT));
			throw new InvalidConfigurationPropertyValueException(property, mode.name().toLowerCase(Locale.ROOT),
					"This mode is not enabled: set %s=true, or choose the other mode".formatted(enabled));
		}
		return generator;
	}

	private static void checkFits(String key, IdFormat format, long maxId, ConfigurableEnvironment environment) {
		try {
			format.format(maxId);
		}
		catch (IdGenerationException ex) {
			String name = LeafProperties.name(key);
			String property = name + ".format";
			throw new LeafStartupException(
					"The format '%s' of key '%s'%s has no room for the largest snowflake ID of the key, %d."
						.formatted(format, key, PropertyOrigin.of(environment, property), maxId),
					"Change '%s' to a format with more room, such as {crockford:13}, or set %s.mode=segment."
						.formatted(property, name));
		}
	}

}
