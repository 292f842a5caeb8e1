// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * The connections to Leaf's tables. This bean is not itself a {@code DataSource}, so that
 * the application does not use it as a {@code DataSource} of its own.
 *
 * @param dataSource where connections come from
 * @param database identifies the database, without credentials; {@code null} if the
 * database is not known
 * @param onClose closes the pool, if there is a private one
 */
public record ConnectionSource(DataSource dataSource, @Nullable String database,
		Runnable onClose) implements AutoCloseable {

	@Override
	public void close() {
		this.onClose.run();
	}

}
