// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import java.net.URI;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LeafServersProperties}.
 */
class LeafServersPropertiesTests {

	@Test
	void urlsMayHaveAPort() {
		assertThat(properties("http://leaf-1:65535", "https://leaf-2").checkedUrls())
			.containsExactly(URI.create("http://leaf-1:65535"), URI.create("https://leaf-2"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "leaf-1:8080", "ftp://leaf-1", "http:///path", "http://leaf-1:65536", "http://leaf 1" })
	void invalidUrlsAreRefused(String url) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> properties("http://leaf-1:8080", url).checkedUrls())
			.satisfies((ex) -> assertThat(ex.getName()).isEqualTo("leaf.server.urls"))
			.satisfies((ex) -> assertThat(ex.getValue()).isEqualTo(url));
	}

	private static LeafServersProperties properties(String... urls) {
		return new LeafServersProperties(List.of(urls), null, null);
	}

}
