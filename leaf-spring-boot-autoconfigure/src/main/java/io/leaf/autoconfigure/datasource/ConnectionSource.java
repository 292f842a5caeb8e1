// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * The connections to Leaf's tables. This bean does not implement {@code DataSource}, so
 * that Spring never injects it in place of the application's {@code DataSource}.
 *
 * @param dataSource where connections come from
 * @param database a text that identifies the database and contains no credentials; {@code
 * null} if the database is not known
 * @param onClose closes the private pool, if there is one
 */
public record ConnectionSource(DataSource dataSource, @Nullable String database,
		Runnable onClose) implements AutoCloseable {

	@Override
	public void close() {
		this.onClose.run();
	}

}
