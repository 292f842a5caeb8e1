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

package io.leaf.transaction;

import io.leaf.test.server.Databases;
import io.leaf.test.server.Pools;

import org.springframework.util.StringUtils;

class MySqlCallerTransactionIT extends CallerTransactionContract {

	private static final String[] DATABASE = Pools.properties(Databases.mysql(), "transactions");

	@Override
	protected String[] database() {
		// where MariaDB stands in, MySQL's driver cannot read the metadata that Hibernate
		// asks for
		return StringUtils.concatenateStringArrays(DATABASE,
				new String[] { "spring.jpa.database-platform=org.hibernate.dialect.MySQLDialect",
						"spring.jpa.properties.hibernate.boot.allow_jdbc_metadata_access=false" });
	}

}
