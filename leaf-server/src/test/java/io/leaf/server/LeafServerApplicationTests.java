// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.time.Duration;
import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeafServerApplication}.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeafServerApplicationTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
			~~                                                                | http://localhost  | http://localhost
			management.server.address=127.0.0.1                               | http://localhost  | http://127.0.0.1
			management.server.address=                                        | http://localhost  | http://localhost
			server.address=0.0.0.0 management.server.address=::               | http://localhost  | http://localhost
			server.address=10.0.0.5 management.server.address=::1             | http://10.0.0.5   | http://[::1]
			server.ssl.bundle=leaf                                            | https://localhost | https://localhost
			server.ssl.bundle=leaf management.server.ssl.enabled=false        | https://localhost | http://localhost
			server.ssl.enabled=false management.server.ssl.bundle=leaf        | http://localhost  | https://localhost
			""")
	void theAddressesOfBothPortsAreLogged(String properties, String api, String page, CapturedOutput output) {
		MockEnvironment environment = new MockEnvironment();
		environment.setProperty("local.server.port", "8080");
		environment.setProperty("local.management.port", "8081");
		Stream.of(properties.split(" "))
			.filter((property) -> !property.isEmpty())
			.map((property) -> property.split("=", 2))
			.forEach((property) -> environment.setProperty(property[0], property[1]));
		try (GenericApplicationContext context = new GenericApplicationContext()) {
			context.setEnvironment(environment);
			new LeafServerApplication().logAddresses(
					new ApplicationReadyEvent(new SpringApplication(), new String[0], context, Duration.ZERO));
		}
		assertThat(output).contains("IDs: %s:8080/api/segment/get/[key]. Live page: %s:8081/".formatted(api, page));
	}

}
