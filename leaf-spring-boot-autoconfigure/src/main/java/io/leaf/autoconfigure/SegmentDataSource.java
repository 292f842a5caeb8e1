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

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * The connections that segments are fetched with. Not itself a {@code DataSource}, so
 * that nothing in the application takes it for one of its own.
 *
 * @param dataSource where connections come from
 * @param database which database that is, without credentials; {@code null} if that is
 * not known
 * @param onClose closes what was opened for it
 */
record SegmentDataSource(DataSource dataSource, @Nullable String database, Runnable onClose) implements AutoCloseable {

	@Override
	public void close() {
		this.onClose.run();
	}

}
