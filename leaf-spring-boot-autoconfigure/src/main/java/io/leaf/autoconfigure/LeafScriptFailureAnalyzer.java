/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.autoconfigure;

import java.util.Locale;
import java.util.regex.Pattern;

import io.leaf.segment.jdbc.JdbcFailures;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.init.ScriptStatementFailedException;

/**
 * Explains that a script of the application creates the table that Leaf has created
 * before.
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
				|| "never".equals(this.environment.getProperty("leaf.segment.initialize-schema"))) {
			return null;
		}
		return new FailureAnalysis(
				"A script of the application cannot create the table %s (%s). In an embedded database, and with leaf.segment.initialize-schema=always, Leaf creates it before."
					.formatted(table, JdbcFailures.reason(cause)),
				"Write CREATE TABLE IF NOT EXISTS in the script, or remove the statement; or set leaf.segment.initialize-schema=never, and Leaf leaves the table to the script.",
				cause);
	}

}
