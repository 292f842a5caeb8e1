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

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a process runs, as state files record it: a file that was written elsewhere may
 * be a copy, and what a copy says is in use elsewhere.
 *
 * @param hostName the name of the host
 * @param address the address by which others know the process
 */
public record Machine(String hostName, String address) {

	private static final Logger log = LoggerFactory.getLogger(Machine.class);

	private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

	/**
	 * Returns this machine. Never fails.
	 * @param address the address by which others know the process; stands in for the host
	 * name where there is none to be found
	 * @return this machine
	 */
	public static Machine local(String address) {
		return new Machine(hostName(KERNEL, InetAddress::getLocalHost, System::getenv, address), address);
	}

	// The kernel comes first, since the JDK asks the name service too: a name that could
	// not be found while that is down would make the file look like a copy.
	static String hostName(Path kernel, Callable<InetAddress> jdk, UnaryOperator<String> environment,
			String otherwise) {
		try {
			if (Files.isReadable(kernel)) {
				String name = Files.readString(kernel).strip();
				if (!name.isEmpty()) {
					return name;
				}
			}
		}
		catch (IOException ex) {
			log.debug("{} cannot be read", kernel, ex);
		}
		try {
			return jdk.call().getHostName();
		}
		catch (UnknownHostException ex) {
			log.debug("The name of this host is not known to its name service", ex);
		}
		catch (Exception ex) {
			log.debug("The name of this host cannot be looked up", ex);
		}
		String name = environment.apply("HOSTNAME");
		return (name != null && !name.isBlank()) ? name.strip() : otherwise;
	}

}
