// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.DatabaseMetaData;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import io.leaf.autoconfigure.properties.LeafStartupException;
import io.leaf.jdbc.JdbcFailures;
import io.leaf.jdbc.TableName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/**
 * Creates those of Leaf's tables that do not exist, with the script for the database in
 * use. The tables are the segment table and, in the same schema, {@code leaf_worker} for
 * the worker IDs and {@code leaf_primary} for failovers. A bean of this type replaces the
 * auto-configured one.
 */
public class LeafSchemaInitializer extends DataSourceScriptDatabaseInitializer {

	private static final Logger logger = LoggerFactory.getLogger(LeafSchemaInitializer.class);

	private static final String SCRIPTS = "classpath*:io/leaf/segment/jdbc/schema-*.sql";

	/**
	 * How long to keep trying to connect. The first connection of a process that starts
	 * on a busy machine may take longer than the connection timeout of Leaf's pool.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private static final int ATTEMPTS = 10;

	private static final Pattern TABLES = Pattern.compile("leaf_(alloc|worker|primary)");

	private static final String SEGMENTS = "leaf_alloc";

	private final TableName table;

	private final LongSupplier nanoTime;

	/**
	 * Creates an initializer.
	 * @param dataSource the database in which to create the tables
	 * @param mode when to create the tables
	 * @param table the name of the segment table
	 */
	public LeafSchemaInitializer(DataSource dataSource, DatabaseInitializationMode mode, TableName table) {
		this(dataSource, mode, table, System::nanoTime);
	}

	LeafSchemaInitializer(DataSource dataSource, DatabaseInitializationMode mode, TableName table,
			LongSupplier nanoTime) {
		super(dataSource, settings(mode));
		this.table = table;
		this.nanoTime = nanoTime;
	}

	private static DatabaseInitializationSettings settings(DatabaseInitializationMode mode) {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		// The scripts for all databases are set, so that the database need not be
		// identified if no script is to run.
		settings.setSchemaLocations(List.of(SCRIPTS));
		settings.setMode(mode);
		return settings;
	}

	@Override
	protected void runScripts(Scripts scripts) {
		String product = databaseProduct();
		if (product == null) {
			return;
		}
		String name = "schema-%s.sql".formatted(DatabaseDriver.fromProductName(product).getId());
		for (Resource script : scripts) {
			if (name.equals(script.getFilename())) {
				run(script);
				return;
			}
		}
		throw new LeafStartupException(
				"Leaf's tables (%s and others) cannot be created, because there is no script for %s."
					.formatted(this.table, product),
				"Create the tables yourself, and set leaf.segment.initialize-schema=never.");
	}

	private @Nullable String databaseProduct() {
		long start = this.nanoTime.getAsLong();
		for (int attempt = 1;; attempt++) {
			try {
				return JdbcUtils.commonDatabaseName(
						JdbcUtils.extractDatabaseMetaData(getDataSource(), DatabaseMetaData::getDatabaseProductName));
			}
			catch (MetaDataAccessException ex) {
				logger.debug("Attempt {} to reach the database failed", attempt, ex);
				if (attempt == ATTEMPTS || this.nanoTime.getAsLong() - start > PATIENCE.toNanos()) {
					// this is not yet a failure: the generators access the database next,
					// and they decide whether startup fails
					logger.warn(
							"The script that creates Leaf's tables ({} and others) has not been run, because the database cannot be reached",
							this.table);
					return null;
				}
			}
		}
	}

	private void run(Resource script) {
		try {
			String sql = withNames(script.getContentAsString(StandardCharsets.UTF_8));
			super.runScripts(new Scripts(List
				.of(new ByteArrayResource(sql.getBytes(StandardCharsets.UTF_8), String.valueOf(script.getFilename()))))
				.encoding(StandardCharsets.UTF_8));
		}
		catch (DataAccessException | IOException ex) {
			throw new LeafStartupException(
					"Leaf's tables (%s and others) cannot be created: %s.".formatted(this.table,
							JdbcFailures.reason(ex)),
					"Give the database user the right to create the tables; or run %s yourself, and set leaf.segment.initialize-schema=never; or name another table with leaf.segment.table."
						.formatted(JdbcFailures.SCRIPTS.replace("schema-*.sql", String.valueOf(script.getFilename()))),
					ex);
		}
	}

	private String withNames(String sql) {
		// all tables are created in the schema of the segment table, because the database
		// user may lack the right to create tables in other schemas
		return TABLES.matcher(sql)
			.replaceAll((found) -> Matcher.quoteReplacement(
					(found.group().equals(SEGMENTS) ? this.table : this.table.inSameSchema(found.group())).value()));
	}

}
