// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.snowflake;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.stream.Stream;

import io.leaf.autoconfigure.properties.LeafSnowflakeProperties;
import io.leaf.autoconfigure.properties.PropertyRanges;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.env.Environment;

/**
 * The label by which people and the worker lease stores identify this process. The
 * uniqueness of IDs does not depend on the label, and Leaf does not connect to the host
 * and port.
 *
 * @param host the address
 * @param port the port
 */
record ProcessLabel(String host, String port) {

	private static final Logger logger = LoggerFactory.getLogger(ProcessLabel.class);

	private static final String DEFAULT_PORT = "8080";

	static ProcessLabel of(LeafSnowflakeProperties properties, Environment environment) {
		String host = (properties.host() != null) ? properties.host() : firstUsableAddress(addresses());
		String port = (properties.port() != null) ? properties.port()
				: environment.getProperty("server.port", DEFAULT_PORT);
		PropertyRanges ranges = new PropertyRanges(LeafSnowflakeProperties.PREFIX);
		ranges.require("host", host, host.matches("[^\\s/]{1,200}"), "1 to 200 characters, without spaces or '/'");
		ranges.require("port", port, port.matches("[^\\s/]{1,20}"), "1 to 20 characters, without spaces or '/'");
		return new ProcessLabel(host, port);
	}

	private static Stream<InetAddress> addresses() {
		try {
			return NetworkInterface.networkInterfaces()
				.filter(ProcessLabel::isUsable)
				.sorted(Comparator.comparingInt(NetworkInterface::getIndex))
				.flatMap(NetworkInterface::inetAddresses);
		}
		catch (SocketException ex) {
			logger.debug("The network interfaces cannot be listed", ex);
			return Stream.empty();
		}
	}

	private static boolean isUsable(NetworkInterface network) {
		try {
			return network.isUp() && !network.isLoopback();
		}
		catch (SocketException ex) {
			logger.debug("The state of network interface {} cannot be read", network, ex);
			return false;
		}
	}

	/**
	 * Returns the first address that is neither a loopback nor a link-local address, or
	 * the loopback address if there is no such address. An IPv4 address takes precedence
	 * over an IPv6 address.
	 */
	static String firstUsableAddress(Stream<InetAddress> addresses) {
		String address = addresses.filter((each) -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
			.min(Comparator.comparing((each) -> !(each instanceof Inet4Address)))
			.orElseGet(InetAddress::getLoopbackAddress)
			.getHostAddress();
		// an IPv6 address may be followed by '%' and the name of its network interface
		return address.replaceFirst("%.*", "");
	}

	@Override
	public String toString() {
		return this.host + ":" + this.port;
	}

}
