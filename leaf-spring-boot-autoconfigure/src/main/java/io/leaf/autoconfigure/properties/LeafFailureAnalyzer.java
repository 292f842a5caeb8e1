// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.properties;

import io.leaf.ClockDriftException;
import io.leaf.IdGenerationException;
import io.leaf.InvalidRequestException;
import io.leaf.WorkerIdUnavailableException;
import io.leaf.segment.SegmentStoreException;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/**
 * Explains why an application with Leaf does not start. A possible reason is that an ID
 * that the application requests during startup cannot be issued.
 */
@Order(0)
class LeafFailureAnalyzer extends AbstractFailureAnalyzer<IdGenerationException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, IdGenerationException cause) {
		if (cause instanceof LeafStartupException ex) {
			return new FailureAnalysis(ex.getMessage(), ex.getAction(), cause);
		}
		if (cause instanceof SegmentStoreException ex) {
			return analysis("Leaf cannot allocate segments. ", cause,
					ex.isRefusal() ? "" : " To start anyway, set leaf.segment.fail-fast=false.");
		}
		if (cause instanceof WorkerLeaseStoreException || cause instanceof WorkerIdUnavailableException
				|| cause instanceof ClockDriftException) {
			return analysis("Leaf has no worker ID to issue snowflake IDs with. ", cause, "");
		}
		// for an InvalidRequestException, returns null, so that Spring Boot logs the
		// stack trace, which leads to the mistake in the application's code
		return (cause instanceof InvalidRequestException) ? null : analysis("", cause, "");
	}

	/**
	 * Splits the message of an exception: its first sentence becomes the description of
	 * the failure, and its other sentences become the action.
	 */
	private static FailureAnalysis analysis(String what, IdGenerationException cause, String alternative) {
		String message = String.valueOf(cause.getMessage());
		int end = endOfSentence(message);
		String advice = (end < message.length()) ? message.substring(end + 2) + "."
				: "Start the application again once this has been corrected.";
		return new FailureAnalysis("%s%s.".formatted(what, message.substring(0, end)), advice + alternative, cause);
	}

	// ignores full stops in parentheses, because parentheses contain quoted messages,
	// which may consist of several sentences
	private static int endOfSentence(String message) {
		int depth = 0;
		for (int i = 0; i < message.length() - 2; i++) {
			char c = message.charAt(i);
			depth += (c == '(') ? 1 : (c == ')') ? -1 : 0;
			if (depth <= 0 && c == '.' && message.charAt(i + 1) == ' '
					&& Character.isUpperCase(message.charAt(i + 2))) {
				return i;
			}
		}
		return message.length();
	}

}
