// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ZooKeeperSettingsTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "10.0.0.1:2181", "zk-1.example.com:2181,zk_2:2182", "a:1, b:2 ,c:3",
			"[::1]:2181,[fe80::1%eth0]:2181", "a:2181/apps/orders", "a:2181/apps/orders/", "a:2181/" })
	void validConnectStringsAreAccepted(String connectString) {
		assertThat(new ZooKeeperSettings(connectString, null, SECOND, SECOND).connectString()).isEqualTo(connectString);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "zookeeper://localhost:2181", "localhost:port", "a:1;b:2", "a:1,,b:2", "a:1,",
			"a:2181//", "a:1/apps,b:1/apps", "::1:2181", ":2181" })
	void invalidConnectStringsAreRefused(String connectString) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ZooKeeperSettings(connectString, null, SECOND, SECOND))
			.withMessageContainingAll("leaf.snowflake.zookeeper.connect-string", "'" + connectString + "'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "s3cr3t", ":s3cr3t", "user:" })
	void invalidCredentialsAreRefused(String auth) {
		assertThatIllegalArgumentException().isThrownBy(() -> new ZooKeeperSettings("localhost", auth, SECOND, SECOND))
			.withMessageContainingAll("leaf.snowflake.zookeeper.auth", "user:password")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("s3cr3t"));
	}

	@ParameterizedTest
	@CsvSource({ "PT0.999S,PT1S,session-timeout", "PT10M0.001S,PT1S,session-timeout", "PT1S,PT0S,connection-timeout",
			"PT1S,PT11M,connection-timeout" })
	void invalidTimeoutsAreRefused(Duration session, Duration connection, String name) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ZooKeeperSettings("localhost", null, session, connection))
			.withMessageContainingAll("leaf.snowflake.zookeeper." + name, "to 10 min");
	}

	@Test
	void thePasswordIsNotShown() {
		assertThat(new ZooKeeperSettings("localhost", "user:s3cr3t", SECOND, SECOND)).asString()
			.contains("localhost")
			.doesNotContain("s3cr3t", "user");
	}

}
