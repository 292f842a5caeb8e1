// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;

import jakarta.servlet.http.HttpServletResponse;

/**
 * The format of error responses.
 */
interface ApiErrors {

	/**
	 * Writes the response to a request that is refused or has failed.
	 * @param refusal the reason
	 * @param path the path of the request, as it was sent
	 * @param response the response, to which nothing has been written yet
	 * @throws IOException if the client has disconnected
	 */
	void write(RefusedException refusal, String path, HttpServletResponse response) throws IOException;

}
