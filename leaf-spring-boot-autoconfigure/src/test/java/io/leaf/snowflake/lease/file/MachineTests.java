// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class MachineTests {

	private static final Callable<InetAddress> UNKNOWN = () -> {
		throw new UnknownHostException("web-1: Name or service not known");
	};

	@TempDir
	private Path directory;

	@Test
	void local_hasAName() {
		Machine machine = Machine.local("10.0.0.1");
		assertThat(machine.label()).isEqualTo("10.0.0.1");
		assertThat(machine.bootId()).isEqualTo(Machine.local("10.0.0.2").bootId());
		assertThat(machine.hostName()).isNotBlank();
	}

	@Test
	void hostName_isThatOfTheKernel() throws IOException {
		Path kernel = Files.writeString(this.directory.resolve("hostname"), "web-1\n");
		assertThat(Machine.hostName(kernel, UNKNOWN, (name) -> "web-2", "10.0.0.1")).isEqualTo("web-1");
	}

	@Test
	void hostName_isThatOfTheJdkIfTheKernelHasNone() throws IOException {
		InetAddress address = InetAddress.getByAddress("web-3", new byte[] { 10, 0, 0, 1 });
		Path empty = Files.createFile(this.directory.resolve("empty"));
		Path unreadable = Files.createDirectory(this.directory.resolve("unreadable"));
		for (Path kernel : new Path[] { this.directory.resolve("missing"), empty, unreadable }) {
			assertThat(Machine.hostName(kernel, () -> address, (name) -> "web-2", "10.0.0.1")).isEqualTo("web-3");
		}
	}

	@Test
	void hostName_isThatOfTheEnvironmentIfTheJdkFindsNone() {
		Path missing = this.directory.resolve("missing");
		assertThat(Machine.hostName(missing, UNKNOWN, (name) -> name.equals("HOSTNAME") ? "web-2" : null, "10.0.0.1"))
			.isEqualTo("web-2");
		Callable<InetAddress> forbidden = () -> {
			throw new SecurityException("no");
		};
		assertThat(Machine.hostName(missing, forbidden, (name) -> "web-2", "10.0.0.1")).isEqualTo("web-2");
	}

	@Test
	void hostName_isTheAddressIfThereIsNoName() {
		Path missing = this.directory.resolve("missing");
		assertThat(Machine.hostName(missing, UNKNOWN, (name) -> null, "10.0.0.1")).isEqualTo("10.0.0.1");
		assertThat(Machine.hostName(missing, UNKNOWN, (name) -> " ", "10.0.0.1")).isEqualTo("10.0.0.1");
	}

}
