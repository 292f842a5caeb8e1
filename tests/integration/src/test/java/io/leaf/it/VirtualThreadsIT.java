// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.nio.file.Path;
import java.util.Properties;

import io.leaf.test.server.InstalledJdk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that virtual threads that wait for an ID release their carrier threads.
 */
@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true", disabledReason = "starts several processes")
class VirtualThreadsIT {

	@TempDir
	private Path directory;

	@Test
	void noVirtualThreadIsPinned() throws Exception {
		InstalledJdk jdk = InstalledJdk.require(21, "VirtualThreadsIT");
		Properties results = VirtualThreadsProcess.run(jdk, this.directory);
		assertThat(results).containsEntry("STRICT", String.valueOf(10L * VirtualThreadsProcess.THREADS))
			.containsEntry("STRIPED", String.valueOf(10L * VirtualThreadsProcess.THREADS))
			.containsEntry("snowflake", String.valueOf(40L * VirtualThreadsProcess.THREADS))
			.containsEntry("application", String.valueOf(10L * VirtualThreadsProcess.THREADS));
		assertThat(Long.parseLong(results.getProperty("STRICT-waits"))).as("calls that waited").isGreaterThan(1000);
		assertThat(Long.parseLong(results.getProperty("STRIPED-waits"))).as("calls that waited").isGreaterThan(1000);
		assertThat(results).as("the lead was reached").containsEntry("snowflake-lead", "true");
		assertThat(results).as("the recording works").containsEntry("pinned-on-purpose", "1");
		assertThat(results.getProperty("pinned")).isEqualTo("none");
	}

}
