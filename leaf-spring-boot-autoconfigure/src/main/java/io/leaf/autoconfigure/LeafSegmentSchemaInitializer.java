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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import javax.sql.DataSource;

import io.leaf.segment.SegmentStoreException;
import io.leaf.segment.jdbc.TableName;

import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.jdbc.init.PlatformPlaceholderDatabaseDriverResolver;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.dao.DataAccessException;

/**
 * Creates Leaf's table where there is none, with the script of the database in use. A
 * bean of this type takes the place of the auto-configured one.
 */
public class LeafSegmentSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	private static final String SCRIPTS = "classpath*:io/leaf/segment/jdbc/schema-*.sql";

	private static final String TABLE = "leaf_alloc";

	private final TableName table;

	/**
	 * Creates an initializer.
	 * @param dataSource where the table is to be
	 * @param mode when to create it
	 * @param table the name of the table
	 */
	public LeafSegmentSchemaInitializer(DataSource dataSource, DatabaseInitializationMode mode, TableName table) {
		super(dataSource, settings(mode));
		this.table = table;
	}

	private static DatabaseInitializationSettings settings(DatabaseInitializationMode mode) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		// All of them: which database it is need not be asked where no script is to run.
		settings.setSchemaLocations(List.of(SCRIPTS));
		settings.setMode(mode);
		return settings;
	}

	@Override
	protected void runScripts(Scripts scripts) {
		DataSource dataSource = getDataSource();
		String name = new PlatformPlaceholderDatabaseDriverResolver().resolveAll(dataSource, "schema-@@platform@@.sql")
			.get(0);
		for (Resource script : scripts) {
			if (name.equals(script.getFilename())) {
				run(script);
				return;
			}
		}
		throw new SegmentStoreException(
				"There is no script %s to create table %s. Create it by other means, and set leaf.segment.initialize-schema=never"
					.formatted(name, this.table),
				null, true);
	}

	private void run(Resource script) {
		try {
			String sql = script.getContentAsString(StandardCharsets.UTF_8).replace(TABLE, this.table.value());
			super.runScripts(new Scripts(List
				.of(new ByteArrayResource(sql.getBytes(StandardCharsets.UTF_8), String.valueOf(script.getFilename()))))
				.encoding(StandardCharsets.UTF_8));
		}
		catch (DataAccessException | IOException ex) {
			throw new SegmentStoreException(
					"Table %s cannot be created (%s). Give the database user the right to, or run sql/%s yourself and set leaf.segment.initialize-schema=never"
						.formatted(this.table, ex.getMessage(), script.getFilename()),
					ex, true);
		}
	}

}
