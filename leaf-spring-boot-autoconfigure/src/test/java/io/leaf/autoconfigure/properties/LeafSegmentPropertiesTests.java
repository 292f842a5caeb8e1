// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.leaf.segment.Ordering;
import io.leaf.support.KeyPatterns;
import io.leaf.segment.TestSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LeafSegmentPropertiesTests {

	@Test
	void defaultsAreThoseOfTheGenerator() {
		LeafSegmentProperties properties = bind(Map.of());
		assertThat(properties.settings(Map.of())).isEqualTo(TestSettings.DEFAULTS);
		assertThat(properties.enabled()).isNull();
		assertThat(properties.tableName()).hasToString("leaf_alloc");
		assertThat(properties.initializeSchema()).isEqualTo(SchemaInitialization.EMBEDDED);
		assertThat(properties.datasource().isSet()).isFalse();
		assertThat(properties.autoCreate().step()).isEqualTo(1000);
	}

	@Test
	void everyPropertyIsBound() {
		Map<String, String> values = new LinkedHashMap<>();
		values.put("enabled", "false");
		values.put("table", "app.ids");
		values.put("prefetch-at", "0.5");
		values.put("target-duration", "3m");
		values.put("max-step", "77");
		values.put("acquire-timeout", "300");
		values.put("source", "server");
		values.put("refresh-interval", "7s");
		values.put("preload", "true");
		values.put("fail-fast", "false");
		values.put("ordering", "striped");
		values.put("give-back", "false");
		values.put("failover-gap", "5000");
		values.put("max-drift", "3s");
		values.put("initialize-schema", "always");
		values.put("auto-create.enabled", "true");
		values.put("auto-create.step", "55");
		values.put("auto-create.keys", "order*,invoice");
		values.put("datasource.url", "jdbc:h2:mem:x");
		values.put("datasource.username", "leaf");
		values.put("datasource.password", "secret");
		LeafSegmentProperties properties = bind(values);
		assertThat(properties).isEqualTo(new LeafSegmentProperties(false, LeafSegmentProperties.Source.SERVER,
				"app.ids", 0.5, Duration.ofMinutes(3), 77, Duration.ofMillis(300), Duration.ofSeconds(7), true, false,
				Ordering.STRIPED, false, 5000, Duration.ofSeconds(3), SchemaInitialization.ALWAYS,
				new LeafSegmentProperties.AutoCreate(true, 55, true, List.of("order*", "invoice")),
				new LeafSegmentProperties.Datasource("jdbc:h2:mem:x", "leaf", "secret")));
		assertThat(properties.settings(Map.of())).isEqualTo(TestSettings.DEFAULTS.toBuilder()
			.prefetchAt(0.5)
			.targetDuration(Duration.ofMinutes(3))
			.maxStep(77)
			.acquireTimeout(Duration.ofMillis(300))
			.refreshInterval(Duration.ofSeconds(7))
			.preload(true)
			.failFast(false)
			.autoCreateStep(55)
			.ordering(Ordering.STRIPED)
			.giveBack(false)
			.autoCreateKeys(new KeyPatterns(List.of("order*", "invoice")))
			.build());
		assertThat(properties.tableName()).hasToString("app.ids");
		assertThat(properties.toString()).doesNotContain("secret");
	}

	@Test
	void noRowsAreAddedUnlessEnabled() {
		assertThat(bind(Map.of("auto-create.step", "55")).settings(Map.of()).autoCreateStep()).isZero();
	}

	@ParameterizedTest
	@CsvSource({ "prefetch-at, -0.1, from 0 to 1", "prefetch-at, 1.1, from 0 to 1", "prefetch-at, NaN, from 0 to 1",
			"target-duration, 999ms, from 1 s to 365 d", "target-duration, 366d, from 1 s to 365 d",
			"max-step, 0, from 1 to 1000000000", "max-step, 1000000001, from 1 to 1000000000",
			"acquire-timeout, 0, from 1 ms to 10 min", "acquire-timeout, 601s, from 1 ms to 10 min",
			"refresh-interval, 999ms, from 1 s to 1 d", "refresh-interval, 25h, from 1 s to 1 d",
			"failover-gap, -1, from 0 to 1000000000000", "failover-gap, 1000000000001, from 0 to 1000000000000",
			"auto-create.step, 0, from 1 to 1000000000", "auto-create.step, 1000000001, from 1 to 1000000000" })
	void valueOutOfRangeIsRefused(String name, String value, String range) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> bind(Map.of(name, value)).settings(Map.of()))
			.satisfies((ex) -> {
				assertThat(ex.getName()).isEqualTo("leaf.segment." + name);
				assertThat(ex.getReason()).isEqualTo("It must be " + range);
			});
	}

	@ParameterizedTest
	@CsvSource({ "prefetch-at, 0", "prefetch-at, 1", "target-duration, 1s", "target-duration, 365d", "max-step, 1",
			"max-step, 1000000000", "acquire-timeout, 1ms", "acquire-timeout, 10m", "refresh-interval, 1s",
			"refresh-interval, 1d", "auto-create.step, 1", "auto-create.step, 1000000000" })
	void endsOfRangesAreAccepted(String name, String value) {
		assertThat(bind(Map.of(name, value)).settings(Map.of())).isNotNull();
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '"', value = { "leaf alloc", "leaf_alloc; DROP TABLE users", "1leaf", "\"\"", "a.b.c.d",
			"leaf-alloc", "`leaf`", "leaf'", "schema.", "leaf_älloc" })
	void tableNameThatIsNotAnIdentifierIsRefused(String table) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> bind(Map.of("table", table)).tableName())
			.satisfies((ex) -> {
				assertThat(ex.getName()).isEqualTo("leaf.segment.table");
				assertThat(ex.getReason()).startsWith("It must be one to three names separated by dots");
			});
	}

	static LeafSegmentProperties bind(Map<String, String> values) {
		MapConfigurationPropertySource source = new MapConfigurationPropertySource();
		values.forEach((name, value) -> source.put("leaf.segment." + name, value));
		return new Binder(source).bindOrCreate("leaf.segment", LeafSegmentProperties.class);
	}

}
