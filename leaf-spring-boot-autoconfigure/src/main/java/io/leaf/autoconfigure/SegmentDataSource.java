// SPDX-License-Identifier: Apache-2.0

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
