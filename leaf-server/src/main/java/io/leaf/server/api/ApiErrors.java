// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;

import jakarta.servlet.http.HttpServletResponse;

/**
 * How errors are answered.
 */
interface ApiErrors {

	/**
	 * Answers a request that gets no IDs.
	 * @param refusal why
	 * @param path the path of the request, as it was sent
	 * @param response where the answer goes, with nothing written yet
	 * @throws IOException if the client has gone
	 */
	void write(Refusal refusal, String path, HttpServletResponse response) throws IOException;

}
