// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.support.SpringApplicationJsonEnvironmentPostProcessor;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KeyPropertyNames} and the ways to name keys in properties.
 */
class KeyPropertyNamesTests {

	private static StandardEnvironment file(String name, Object value) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("file", Map.of(name, value)));
		return environment;
	}

	private static StandardEnvironment variable(String name, Object value) {
		StandardEnvironment environment = new StandardEnvironment();
		PropertySource<?> variables = new SystemEnvironmentPropertySource(
				StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(name, value));
		environment.getPropertySources().replace(variables.getName(), variables);
		ConfigurationPropertySources.attach(environment);
		return environment;
	}

	private static Map<String, LeafProperties.Key> keys(StandardEnvironment environment) {
		KeyPropertyNames.check(environment);
		return Binder.get(environment).bindOrCreate("leaf", LeafProperties.class).keys();
	}

	@ParameterizedTest
	@CsvSource({ "leaf.keys.order.mode, order", "leaf.keys.order_item.mode, order_item",
			"leaf.keys.orderItem.mode, orderItem", "leaf.keys[order_item].mode, order_item",
			"leaf.keys[a.B c].mode, a.B c" })
	void aFileCanNameKeys(String name, String key) {
		assertThat(keys(file(name, "snowflake")))
			.isEqualTo(Map.of(key, new LeafProperties.Key(LeafProperties.Mode.SNOWFLAKE, 1L, null, null, null, null,
					null, List.of(), null, List.of())));
	}

	@ParameterizedTest
	@CsvSource({ "LEAF_KEYS_ORDER_MODE, order", "LEAF_KEYS_ORDERITEM_MODE, orderitem" })
	void anEnvironmentVariableCanNameKeys(String name, String key) {
		assertThat(keys(variable(name, "snowflake"))).containsOnlyKeys(key);
	}

	@ParameterizedTest
	@ValueSource(strings = { "LEAF_KEYS_ORDER_STARTFROM", "LEAF_KEYS_ORDER_START_FROM" })
	void anEnvironmentVariableCanSetStartFrom(String name) {
		assertThat(keys(variable(name, "5")).get("order").startFrom()).isEqualTo(5);
	}

	@ParameterizedTest
	@ValueSource(strings = { "LEAF_KEYS_ORDER_FORMERFORMATS", "LEAF_KEYS_ORDER_FORMER_FORMATS",
			"LEAF_KEYS_ORDER_FORMERFORMATS_0" })
	void anEnvironmentVariableCanSetFormerFormats(String name) {
		assertThat(keys(variable(name, "A-{number}")).get("order").formerFormats()).containsExactly("A-{number}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "leaf.keys.order.former-secrets", "leaf.keys.order.former-secrets[0]",
			"leaf.keys[order].formerSecrets[0]" })
	void aFileCanSetFormerSecrets(String name) {
		assertThat(keys(file(name, "1:secret")).get("order").formerSecrets()).containsExactly("1:secret");
	}

	@Test
	void listsInAFileAreSeparatedByCommas() {
		assertThat(keys(file("leaf.keys.order.former-formats", "A-{number},B-{number}")).get("order").formerFormats())
			.containsExactly("A-{number}", "B-{number}");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "leaf.keys.order.mode[0]", "leaf.keys.order.formats[0]", "leaf.keys.order[0]", "leaf.keys[0]" })
	void anIndexOfASettingThatIsNotAListIsRefused(String name) {
		assertThatExceptionOfType(LeafStartupException.class).isThrownBy(() -> keys(file(name, "x")))
			.withMessageContaining("is not a setting of a key");
	}

	@Test
	void aKeyDoesNotShowItsSecrets() {
		assertThat(keys(file("leaf.keys.order.secret", "1:confidential")).toString()).doesNotContain("confidential");
		assertThat(keys(file("leaf.keys.order.former-secrets", "1:confidential")).toString())
			.doesNotContain("confidential");
	}

	@ParameterizedTest
	@CsvSource({ "LEAF_KEYS_ORDER_ITEM_MODE, mode", "LEAF_KEYS_ORDER_ITEM_START_FROM, start-from",
			"LEAF_KEYS_ORDER_ITEM_PERIOD_ZONE, period-zone" })
	void aKeyThatAnEnvironmentVariableCannotNameIsRefused(String variable, String setting) {
		assertThatExceptionOfType(LeafStartupException.class).isThrownBy(() -> keys(variable(variable, "5")))
			.withMessageContaining("leaf.keys.order.item.")
			.withMessageContaining("\"%s\" from property source \"systemEnvironment\"", variable)
			.satisfies(
					(ex) -> assertThat(ex.getAction()).contains("leaf.keys[order_item].%s in a file".formatted(setting))
						.contains("SPRING_APPLICATION_JSON='{\"leaf.keys[order_item].%s\":".formatted(setting)));
	}

	@Test
	void theAdviceOfTheMessageWorks() {
		StandardEnvironment environment = variable("SPRING_APPLICATION_JSON",
				"{\"leaf.keys[order_item].mode\":\"snowflake\"}");
		new SpringApplicationJsonEnvironmentPostProcessor().postProcessEnvironment(environment, null);
		assertThat(keys(environment)).containsOnlyKeys("order_item");
	}

	@Test
	void aKeyWithADotOutsideBracketsIsRefused() {
		assertThatExceptionOfType(LeafStartupException.class)
			.isThrownBy(() -> keys(file("leaf.keys.order.item.mode", "snowflake")))
			.withMessageContaining("there must be exactly one name, the key, between 'leaf.keys' and 'mode'")
			.satisfies((ex) -> assertThat(ex.getAction()).contains("leaf.keys[order.item].mode"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "leaf.keys.order.modus", "leaf.keys.order", "LEAF_KEYS_ORDER_MODUS" })
	void anUnknownSettingIsRefused(String name) {
		StandardEnvironment environment = name.startsWith("LEAF") ? variable(name, "x") : file(name, "x");
		assertThatExceptionOfType(LeafStartupException.class).isThrownBy(() -> keys(environment))
			.withMessageContaining("is not a setting of a key")
			.satisfies((ex) -> assertThat(ex.getAction()).contains("leaf.keys.<key>.mode"));
	}

}
