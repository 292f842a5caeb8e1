// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.snowflake;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;

/**
 * Tests the connection details for a mocked service, so that no container is needed.
 */
class LeafZooKeeperDockerComposeConnectionDetailsFactoryTests {

	private final RunningService service = mock(RunningService.class, RETURNS_DEEP_STUBS);

	private Map<Class<?>, ConnectionDetails> details(String image) {
		given(this.service.image()).willReturn(ImageReference.of(image));
		given(this.service.host()).willReturn("127.0.0.1");
		given(this.service.ports().get(2181)).willReturn(4711);
		DockerComposeConnectionSource source = mock();
		given(source.getRunningService()).willReturn(this.service);
		return new ConnectionDetailsFactories(null).getConnectionDetails(source, false);
	}

	@ParameterizedTest
	@ValueSource(strings = { "zookeeper:3.9", "bitnami/zookeeper", "bitnamilegacy/zookeeper:3.9",
			"example.com:5000/zookeeper" })
	void theImageIdentifiesTheService(String image) {
		assertThat(details(image)).containsOnlyKeys(LeafZooKeeperConnectionDetails.class)
			.extractingByKey(LeafZooKeeperConnectionDetails.class, type(LeafZooKeeperConnectionDetails.class))
			.returns("127.0.0.1:4711", LeafZooKeeperConnectionDetails::getConnectString);
	}

	@Test
	void theLabelIdentifiesTheService() {
		given(this.service.labels()).willReturn(Map.of("org.springframework.boot.service-connection", "zookeeper"));
		assertThat(details("example.com/our-quorum")).containsOnlyKeys(LeafZooKeeperConnectionDetails.class);
	}

	@Test
	void anotherImageIsNotRecognized() {
		assertThat(details("busybox")).isEmpty();
	}

}
