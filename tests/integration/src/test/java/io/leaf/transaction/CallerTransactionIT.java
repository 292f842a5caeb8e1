// SPDX-License-Identifier: Apache-2.0

package io.leaf.transaction;

import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;
import org.junit.jupiter.api.Nested;

import org.springframework.util.StringUtils;

class CallerTransactionIT {

	@Nested
	class MySql extends CallerTransactionContract {

		private static final String[] DATABASE = Pools.properties(Databases.mysql(), "transactions");

		@Override
		protected String[] database() {
			// if MariaDB is used in place of MySQL, MySQL's driver cannot read the
			// metadata that Hibernate requests
			return StringUtils.concatenateStringArrays(DATABASE,
					new String[] { "spring.jpa.database-platform=org.hibernate.dialect.MySQLDialect",
							"spring.jpa.properties.hibernate.boot.allow_jdbc_metadata_access=false" });
		}

	}

	@Nested
	class MariaDb extends CallerTransactionContract {

		private static final String[] DATABASE = Pools.properties(Databases.mariadb(), "transactions");

		@Override
		protected String[] database() {
			return DATABASE;
		}

	}

	@Nested
	class PostgreSql extends CallerTransactionContract {

		private static final String[] DATABASE = Pools.properties(Databases.postgresql(), "transactions");

		@Override
		protected String[] database() {
			return DATABASE;
		}

	}

}
