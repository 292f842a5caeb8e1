// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/**
 * A request of a client to a Leaf server, and the answer.
 */
final class Exchange {

	private final IssuingProcess client;

	private final String path;

	private final String form;

	private @Nullable Process server;

	private @Nullable MockHttpServletResponse answer;

	private boolean refused;

	/**
	 * Creates a request that has not been sent.
	 * @param form the encoded parameters
	 */
	Exchange(IssuingProcess client, String path, String form) {
		this.client = client;
		this.path = path;
		this.form = form;
	}

	/**
	 * Returns a copy of the request, as repeated by the network.
	 */
	Exchange repeated() {
		return new Exchange(this.client, this.path, this.form);
	}

	IssuingProcess client() {
		return this.client;
	}

	MockHttpServletRequest request() {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", this.path);
		request.setServletPath(this.path);
		for (String parameter : this.form.split("&")) {
			int end = parameter.indexOf('=');
			if (end > 0) {
				request.addParameter(parameter.substring(0, end),
						URLDecoder.decode(parameter.substring(end + 1), StandardCharsets.UTF_8));
			}
		}
		return request;
	}

	/**
	 * Records that a server has received the request.
	 */
	void received(Process server) {
		this.server = server;
	}

	/**
	 * Records that no process listens.
	 */
	void refuse() {
		this.refused = true;
	}

	void answer(MockHttpServletResponse answer) {
		this.answer = answer;
	}

	/**
	 * Returns the answer, or {@code null} if there is none.
	 */
	@Nullable MockHttpServletResponse answer() {
		return this.answer;
	}

	/**
	 * Returns whether the answer has arrived, or can no longer arrive because the
	 * connection was refused or closed.
	 */
	boolean isOver() {
		return this.answer != null || this.refused || (this.server != null && !this.server.isAlive());
	}

	@Override
	public String toString() {
		return this.path + " " + this.form;
	}

}
