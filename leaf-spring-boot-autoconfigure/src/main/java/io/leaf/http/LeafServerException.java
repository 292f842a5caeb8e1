// SPDX-License-Identifier: Apache-2.0

package io.leaf.http;

import io.leaf.IdGenerationException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if no Leaf server has confirmed a request. A server that has not answered may
 * have carried out the request.
 */
public final class LeafServerException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final boolean refusal;

	LeafServerException(String message, @Nullable Throwable cause, boolean refusal) {
		super(message, cause);
		this.refusal = refusal;
	}

	/**
	 * Returns whether a server has refused the request. A server refuses the same request
	 * again until the data or the configuration is changed.
	 */
	public boolean isRefusal() {
		return this.refusal;
	}

}
