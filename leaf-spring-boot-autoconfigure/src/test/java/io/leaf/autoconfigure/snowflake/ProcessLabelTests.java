// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.snowflake;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.stream.Stream;

import io.leaf.autoconfigure.properties.LeafSnowflakeProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ProcessLabelTests {

	private static ProcessLabel label(Map<String, String> properties, MockEnvironment environment) {
		LeafSnowflakeProperties snowflake = new Binder(new MapConfigurationPropertySource(properties))
			.bindOrCreate("leaf.snowflake", LeafSnowflakeProperties.class);
		return ProcessLabel.of(snowflake, environment);
	}

	@Test
	void thePortIsThatOfTheServerUnlessSet() {
		assertThat(label(Map.of(), new MockEnvironment()).port()).isEqualTo("8080");
		MockEnvironment server = new MockEnvironment().withProperty("server.port", "9090");
		assertThat(label(Map.of(), server).port()).isEqualTo("9090");
		assertThat(label(Map.of("leaf.snowflake.port", "1"), server).port()).isEqualTo("1");
	}

	@Test
	void theHostIsAnAddressOfThisMachineUnlessSet() {
		assertThat(label(Map.of(), new MockEnvironment()).host()).isNotBlank().doesNotContain("%", "/");
		assertThat(label(Map.of("leaf.snowflake.host", "my-pod-1"), new MockEnvironment()))
			.hasToString("my-pod-1:8080");
	}

	@ParameterizedTest
	@CsvSource({ "host,a b", "host,a/b", "port,/", "port,123456789012345678901" })
	void anInvalidLabelIsReported(String name, String value) {
		assertThatExceptionOfType(InvalidConfigurationPropertyValueException.class)
			.isThrownBy(() -> label(Map.of("leaf.snowflake." + name, value), new MockEnvironment()))
			.satisfies((ex) -> assertThat(ex.getName()).isEqualTo("leaf.snowflake." + name));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			127.0.0.1 192.168.0.7 10.0.0.1 | 192.168.0.7
			::1 fe80::1 2001:db8::7 10.0.0.1 | 10.0.0.1
			::1 fe80::1 2001:db8::7 | 2001:db8:0:0:0:0:0:7
			169.254.1.1 127.0.0.1 | 127.0.0.1
			""")
	void theFirstUsableAddressIsIpv4IfThereIsOne(String addresses, String expected) {
		assertThat(ProcessLabel.firstUsableAddress(Stream.of(addresses.split(" ")).map(ProcessLabelTests::address)))
			.isEqualTo(expected);
	}

	@Test
	void aMachineWithoutAddressesHasItsLoopbackAddress() {
		assertThat(ProcessLabel.firstUsableAddress(Stream.empty())).isNotEmpty();
	}

	private static InetAddress address(String text) {
		try {
			return InetAddress.getByName(text);
		}
		catch (UnknownHostException ex) {
			throw new IllegalArgumentException(ex);
		}
	}

}
