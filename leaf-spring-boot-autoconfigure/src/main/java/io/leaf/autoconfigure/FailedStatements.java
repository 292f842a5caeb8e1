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

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;

import com.zaxxer.hikari.SQLExceptionOverride;

/**
 * Has HikariCP discard each connection on which a statement has failed. After a
 * switchover the server at its other end may have become a replica, which answers, and
 * refuses every update until the connection is closed.
 */
final class FailedStatements implements SQLExceptionOverride {

	@java.lang.Override
	public Override adjudicate(SQLException ex) {
		return (ex instanceof SQLFeatureNotSupportedException || isAboutData(String.valueOf(ex.getSQLState())))
				? Override.DO_NOT_EVICT : Override.MUST_EVICT;
	}

	// such as a row that another process has added before: this server takes updates
	private static boolean isAboutData(String state) {
		return state.startsWith("22") || state.startsWith("23");
	}

}
