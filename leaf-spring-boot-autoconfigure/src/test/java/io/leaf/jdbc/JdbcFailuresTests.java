// SPDX-License-Identifier: Apache-2.0

package io.leaf.jdbc;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;

import io.leaf.jdbc.JdbcFailures.Advice;
import io.leaf.segment.SegmentStoreException;
import org.junit.jupiter.api.Test;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

class JdbcFailuresTests {

	private final JdbcFailures failures = new JdbcFailures(new TableName("leaf_alloc"), new Advice("", "", ""),
			SegmentStoreException::new);

	@Test
	void aLostConnectionIsNotBlamedOnTheTable() {
		assertThat(translated(
				new DataAccessResourceFailureException("", new SQLException("Communications link failure", "08S01"))))
			.isEqualTo(
					"The connection to the database of table leaf_alloc was lost (Communications link failure). Check that the database is running, and the network between this process and the database");
	}

	@Test
	void aStatementThatTakesTooLongIsNotBlamedOnTheTable() {
		String advice = " did not complete (%s). Check whether other transactions lock rows of the table for long, and whether the database is overloaded";
		assertThat(translated(new QueryTimeoutException("", new SQLTimeoutException("Statement cancelled"))))
			.isEqualTo("A statement on table leaf_alloc" + advice.formatted("Statement cancelled"));
		assertThat(translated(
				new CannotAcquireLockException("", new SQLException("Lock wait timeout exceeded", "HY000", 1205))))
			.isEqualTo("A statement on table leaf_alloc" + advice.formatted("Lock wait timeout exceeded"));
	}

	private String translated(RuntimeException failure) {
		RuntimeException translated = this.failures.translate(failure);
		assertThat(translated).isInstanceOfSatisfying(SegmentStoreException.class,
				(ex) -> assertThat(ex.isRefusal()).isFalse());
		return translated.getMessage();
	}

}
