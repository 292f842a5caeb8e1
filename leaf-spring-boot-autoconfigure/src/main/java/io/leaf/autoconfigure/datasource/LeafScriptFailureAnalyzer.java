// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.util.Locale;
import java.util.regex.Pattern;

import io.leaf.jdbc.JdbcFailures;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.init.ScriptStatementFailedException;

/**
 * Explains why a script of the application cannot create a table: Leaf may have created
 * the table before.
 */
class LeafScriptFailureAnalyzer extends AbstractFailureAnalyzer<ScriptStatementFailedException> {

	private final Environment environment;

	LeafScriptFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, ScriptStatementFailedException cause) {
		String table = this.environment.getProperty("leaf.segment.table", "leaf_alloc");
		String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
		if (!message.matches("(?s).*create table\\W+%s\\W.*".formatted(Pattern.quote(table.toLowerCase(Locale.ROOT))))
				|| "never".equalsIgnoreCase(this.environment.getProperty("leaf.segment.initialize-schema"))) {
			return null;
		}
		return new FailureAnalysis(
				"A script of the application cannot create the table %s (%s). If the table already exists, Leaf may have created it. Leaf creates the table in an embedded database, and with leaf.segment.initialize-schema=always in any database."
					.formatted(table, JdbcFailures.reason(cause)),
				"Write CREATE TABLE IF NOT EXISTS in the script, or remove the statement; or set leaf.segment.initialize-schema=never, so that Leaf does not create the table.",
				cause);
	}

}
