// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import io.leaf.IdGenerationException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the application cannot start with its present configuration.
 */
public class LeafStartupException extends IdGenerationException {

	private static final long serialVersionUID = 1L;

	private final String action;

	public LeafStartupException(String message, String action) {
		this(message, action, null);
	}

	public LeafStartupException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	public String getAction() {
		return this.action;
	}

}
