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
