/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.it;

import java.nio.file.Path;
import java.util.Properties;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Virtual threads that wait for an ID leave the threads that carry them to others.
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
