// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.net.InetAddress;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LoopbackHostFilter}.
 */
class LoopbackHostFilterTests {

	@ParameterizedTest
	@CsvSource({ "localhost, 200", "LocalHost, 200", "localhost., 200", "leaf.localhost, 200", "127.0.0.1, 200",
			"127.1.2.3, 200", "[::1], 200", "[0:0:0:0:0:0:0:1], 200", "localhost:8081, 200", "127.0.0.1:8081, 200",
			"[::1]:8081, 200", "attacker.example, 403", "attacker.example:8081, 403", "localhost.attacker.example, 403",
			"127.0.0.1.attacker.example, 403", "notlocalhost, 403", "10.0.0.1, 403", "[::2], 403", "[fe80::1], 403",
			"1, 403", "'', 403" })
	void aLoopbackAddressServesOnlyLoopbackNames(String host, int status) throws Exception {
		assertThat(status(InetAddress.getLoopbackAddress(), host)).isEqualTo(status);
	}

	@ParameterizedTest
	@CsvSource({ "HTTP/1.0, 10.0.0.1, 200", "HTTP/1.1, localhost, 403", "HTTP/2.0, localhost, 200",
			"HTTP/2.0, attacker.example, 403" })
	void withoutTheHeaderTheAuthorityOfHttp2IsUsedAndHttp10IsServed(String protocol, String serverName, int status)
			throws Exception {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.setProtocol(protocol);
		request.setServerName(serverName);
		assertThat(status(InetAddress.getLoopbackAddress(), request)).isEqualTo(status);
	}

	@Test
	void severalHostsAreRefused() throws Exception {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.addHeader("Host", "localhost");
		request.addHeader("Host", "localhost");
		assertThat(status(InetAddress.getLoopbackAddress(), request)).isEqualTo(403);
	}

	@Test
	void otherAddressesServeAnyName() throws Exception {
		assertThat(status(null, "leaf.example")).isEqualTo(200);
		assertThat(status(InetAddress.getByName("0.0.0.0"), "leaf.example")).isEqualTo(200);
	}

	private static int status(InetAddress address, String host) throws Exception {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.addHeader("Host", host);
		return status(address, request);
	}

	private static int status(InetAddress address, MockHttpServletRequest request) throws Exception {
		MockHttpServletResponse response = new MockHttpServletResponse();
		new LoopbackHostFilter(address).doFilter(request, response, new MockFilterChain());
		return response.getStatus();
	}

}
