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

package io.leaf.it;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import javax.sql.DataSource;

/**
 * Takes segments as a deployed Leaf does, by the description of its statements: an update
 * by the row's step, a select, a commit; it issues {@code [max_id - step, max_id)}.
 */
final class DeployedLeaf {

	private DeployedLeaf() {
	}

	/**
	 * Draws at least that many IDs of the key {@code order}, and whole segments.
	 */
	static void draw(DataSource dataSource, int count, Path file) throws IOException, SQLException {
		try (Connection connection = dataSource.getConnection(); DataOutputStream out = IdFiles.write(file)) {
			connection.setAutoCommit(false);
			for (int drawn = 0; drawn < count;) {
				long maxId;
				long step;
				try (PreparedStatement update = connection
					.prepareStatement("UPDATE leaf_alloc SET max_id = max_id + step WHERE biz_tag = 'order'");
						PreparedStatement select = connection
							.prepareStatement("SELECT biz_tag, max_id, step FROM leaf_alloc WHERE biz_tag = 'order'")) {
					update.executeUpdate();
					try (ResultSet row = select.executeQuery()) {
						row.next();
						maxId = row.getLong(2);
						step = row.getLong(3);
					}
				}
				connection.commit();
				for (long id = maxId - step; id < maxId; id++) {
					out.writeLong(id);
					drawn++;
				}
			}
		}
	}

}
