// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machine on which a process runs, as recorded in state files. A state file that was
 * written on another machine may be a copy, and the other machine may still use the lease
 * in it.
 *
 * @param hostName the name of the host
 * @param label the label of the process: {@code host:port}, or only the host if the
 * worker ID is fixed
 * @param bootId an ID that changes whenever the machine boots; empty if it cannot be read
 */
public record Machine(String hostName, String label, String bootId) {

	private static final Logger logger = LoggerFactory.getLogger(Machine.class);

	private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

	private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

	/**
	 * Returns this machine. Never fails.
	 * @param label the label of the process, also used as the host name if the host name
	 * cannot be found
	 * @return this machine
	 */
	public static Machine local(String label) {
		return new Machine(hostName(HOST_NAME, InetAddress::getLocalHost, System::getenv, label), label,
				ofKernel(BOOT_ID));
	}

	private static String ofKernel(Path file) {
		try {
			return Files.isReadable(file) ? Files.readString(file).strip() : "";
		}
		catch (IOException ex) {
			logger.debug("{} cannot be read", file, ex);
			return "";
		}
	}

	// Reads the name from the kernel first, because the JDK depends on the name service.
	// While the name service is down, the JDK may find no host name. Another name would
	// then be used in its place, and the state file of this machine would look like a
	// copy from another machine.
	static String hostName(Path kernel, Callable<InetAddress> jdk, UnaryOperator<String> environment,
			String otherwise) {
		String name = ofKernel(kernel);
		if (!name.isEmpty()) {
			return name;
		}
		try {
			return jdk.call().getHostName();
		}
		catch (Exception ex) {
			logger.debug("The name of this host cannot be looked up", ex);
		}
		name = environment.apply("HOSTNAME");
		return (name != null && !name.isBlank()) ? name.strip() : otherwise;
	}

}
