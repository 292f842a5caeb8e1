// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests that {@link MeituanLeafSnowflake} has the bugs of the original.
 */
class MeituanLeafSnowflakeTests {

	@RegisterExtension
	final ZooKeeperExtension zooKeeper = new ZooKeeperExtension();

	@ParameterizedTest
	@ValueSource(strings = { "readme", "a-b-c", "my-pod-1:8080-0000000009", "10.0.0.1:8080-" })
	void aNodeWithAnyOtherNamePreventsItsStart(String name) throws Exception {
		this.zooKeeper.write("forever/" + name, "");
		assertThatThrownBy(this.zooKeeper.leaf("10.0.0.9", "8080")::start).isInstanceOfAny(NumberFormatException.class,
				ArrayIndexOutOfBoundsException.class);
	}

	@Test
	void aFourthFieldInItsNodePreventsItsStart() throws Exception {
		this.zooKeeper.write("forever/10.0.0.9:8080-0000000003",
				"{\"ip\":\"10.0.0.9\",\"port\":\"8080\",\"timestamp\":1,\"horizon\":2}");
		assertThatExceptionOfType(JacksonException.class).isThrownBy(this.zooKeeper.leaf("10.0.0.9", "8080")::start);
	}

	@Test
	void theFirstServerIgnoresTheNumberOfItsNode() throws Exception {
		MeituanLeafSnowflake first = this.zooKeeper.leaf("10.0.0.8", "8080");
		MeituanLeafSnowflake second = this.zooKeeper.leaf("10.0.0.9", "8080");
		first.start();
		second.start();
		assertThat(first.workerId()).isZero();
		assertThat(second.workerId()).isEqualTo(1);
	}

	@Test
	void itReturnsToItsNode() throws Exception {
		this.zooKeeper.leaf("10.0.0.8", "8080").start();
		MeituanLeafSnowflake leaf = this.zooKeeper.leaf("10.0.0.9", "8080");
		leaf.clock(() -> 100L);
		leaf.start();
		leaf.report();
		MeituanLeafSnowflake restarted = this.zooKeeper.leaf("10.0.0.9", "8080");
		restarted.clock(() -> 99L);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(restarted::start);
		restarted.clock(() -> 100L);
		restarted.start();
		assertThat(restarted.node()).isEqualTo(leaf.node());
		assertThat(restarted.workerId()).isEqualTo(1);
	}

	@Test
	void itDoesNotReportAnEarlierTime() throws Exception {
		MeituanLeafSnowflake leaf = this.zooKeeper.leaf("10.0.0.9", "8080");
		leaf.start();
		leaf.clock(() -> 100L);
		leaf.report();
		leaf.clock(() -> 99L);
		leaf.report();
		assertThat(this.zooKeeper.content("forever/10.0.0.9:8080-0000000000"))
			.isEqualTo("{\"ip\":\"10.0.0.9\",\"port\":\"8080\",\"timestamp\":100}");
	}

}
