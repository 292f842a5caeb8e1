// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import io.leaf.test.server.DeployedLeafTransaction;

/**
 * Draws the IDs of segments that it takes as a deployed Leaf does.
 */
final class DeployedLeaf {

	private DeployedLeaf() {
	}

	/**
	 * Draws at least that many IDs of the key {@code order}, and whole segments.
	 */
	static void draw(DataSource dataSource, int count, Path file) throws IOException, SQLException {
		try (Connection connection = dataSource.getConnection(); DataOutputStream out = IdFiles.write(file)) {
			for (int drawn = 0; drawn < count;) {
				DeployedLeafTransaction.Row row = DeployedLeafTransaction.allocate(connection, "order");
				for (long id = row.maxId() - row.step(); id < row.maxId(); id++) {
					out.writeLong(id);
					drawn++;
				}
			}
		}
	}

}
