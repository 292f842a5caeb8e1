// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import io.leaf.IdGenerationException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown where the application cannot start the way it is configured.
 */
class LeafStartupException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final String action;

	LeafStartupException(String message, String action) {
		this(message, action, null);
	}

	LeafStartupException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	String getAction() {
		return this.action;
	}

}
