// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class JdbcLocationTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			jdbc:mysql://db:3306/orders                                   | jdbc:mysql://db:3306/orders
			jdbc:mysql://db:3306/orders?user=me&password=secret           | jdbc:mysql://db:3306/orders
			jdbc:mysql://me:secret@db/orders                              | jdbc:mysql://db/orders
			jdbc:mysql://me:secret@a,you:secret@b/orders                  | jdbc:mysql://b/orders
			jdbc:mysql://me:sec/ret=@db/orders                            | jdbc:mysql:...
			jdbc:mysql://me:secret?@db/orders                             | jdbc:mysql:...
			jdbc:mysql://(host=a,user=me,password=secret)/orders          | jdbc:mysql://
			jdbc:mysql://address=(host=a)(password=secret)/orders         | jdbc:mysql:/
			jdbc:mysql:replication://me:secret@a/orders                   | jdbc:mysql:a/orders
			jdbc:postgresql://db/orders?password=sec@ret                  | jdbc:postgresql:...
			jdbc:h2:mem:orders;USER=me;PASSWORD=secret                    | jdbc:h2:mem:orders
			jdbc:sqlserver://db:1433;databaseName=orders;password=secret  | jdbc:sqlserver://db:1433
			jdbc:db2://db:50000/orders:user=me;password=secret;           | jdbc:db2://db:50000/orders
			jdbc:oracle:thin:me/secret@//db:1521/orders                   | jdbc:oracle:thin://db:1521/orders
			jdbc:oracle:thin:me/sec@ret@db:1521:orders                    | jdbc:oracle:thin:db:1521:orders
			""")
	void hasNoCredentialsAndNoParameters(String url, String location) {
		assertThat(JdbcLocation.of(url)).isEqualTo(location).doesNotContain("sec", "ret");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					jdbc:mysql://db:3306/orders                                   | jdbc:mysql://db:3306/orders
					jdbc:mysql://db:3306/orders?user=me&password=secret           | jdbc:mysql://db:3306/orders
					jdbc:mysql://me:secret@db/orders?useSSL=true                  | jdbc:mysql://db/orders
					jdbc:mysql://a,b/orders                                       | jdbc:mysql://a,b/orders
					jdbc:mysql:replication://a,b/orders                           | jdbc:mysql:replication://a,b/orders
					jdbc:mysql:///orders                                          | jdbc:mysql:///orders
					jdbc:mysql://me:secret@a,you:secret@b/orders                  |
					jdbc:mysql://me:secret?@db/orders                             |
					jdbc:mysql://(host=a,user=me,password=secret)/orders          |
					jdbc:mysql://address=(host=a)(password=secret)/orders         |
					jdbc:mysql:replication://?x=y                                 |
					jdbc:postgresql:                                              |
					jdbc:postgresql://?host=a                                     |
					jdbc:postgresql:orders                                        | jdbc:postgresql:orders
					jdbc:mysql://db:3306                                          |
					jdbc:mysql://db:3306/?dbname=orders                           |
					jdbc:postgresql://db/?PGDBNAME=orders                         |
					jdbc:sqlserver://db:1433;databaseName=orders                  |
					jdbc:h2:tcp://db/orders                                       | jdbc:h2:tcp://db/orders
					jdbc:postgresql://db/orders?a=b&currentSchema=x&password=sec  | jdbc:postgresql://db/orders?currentSchema=x
					jdbc:postgresql://db/orders?options=a&currentSchema=x         | jdbc:postgresql://db/orders?currentSchema=x?options=a
					jdbc:postgresql://db/orders?currentSchema=x&a=b&options=a     | jdbc:postgresql://db/orders?currentSchema=x?options=a
					jdbc:postgresql://db/orders?currentSchema=y                   | jdbc:postgresql://db/orders?currentSchema=y
					jdbc:h2:mem:orders;USER=me;PASSWORD=secret                    | jdbc:h2:mem:orders
					jdbc:h2:mem:orders;SCHEMA=X                                   | jdbc:h2:mem:orders?SCHEMA=X
					""")
	void identityIsTheDatabaseAndTheSchemaOrUnknown(String url, @Nullable String identity) {
		assertThat(JdbcLocation.identity(url)).isEqualTo(identity);
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:mysql://db/orders?useSSL=true&user=leaf", "jdbc:mysql://leaf:secret@db/orders",
			"jdbc:mysql://(host=db,user=leaf)/orders", "jdbc:postgresql://db/orders?user=leaf",
			"jdbc:h2:mem:orders;USER=leaf", "jdbc:oracle:thin:scott/tiger@db:1521:orders",
			"jdbc:oracle:thin:scott/tiger!@db:1521:orders", "jdbc:oracle:thin:scott/@db:1521:orders",
			"jdbc:sqlserver://db; user=leaf", "jdbc:db2://db/orders:user=leaf;", "jdbc:teradata://db/USER=leaf" })
	void userInTheUrl(String url) {
		assertThat(JdbcLocation.hasCredentials(url)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:mysql://db/orders?useSSL=true", "jdbc:postgresql://db/user?ssl=true",
			"jdbc:h2:mem:users", "jdbc:oracle:thin:@//db:1521/orders", "jdbc:oracle:thin:@db:1521:orders",
			"jdbc:h2:file:/data/job@2/db", "jdbc:postgresql://db/orders?password=a@b" })
	void noUserInTheUrl(String url) {
		assertThat(JdbcLocation.hasCredentials(url)).isFalse();
	}

	@Test
	void identityWithoutAUrlIsUnknown() {
		assertThat(JdbcLocation.identity(null)).isNull();
	}

}
