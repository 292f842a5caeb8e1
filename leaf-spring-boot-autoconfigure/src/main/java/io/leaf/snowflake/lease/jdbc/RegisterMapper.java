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

package io.leaf.snowflake.lease.jdbc;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.WorkerLease;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapper;

/**
 * Reads a register from a row. A row that no process has written like that yields a
 * register that no process may claim.
 */
final class RegisterMapper implements RowMapper<LeaseRegister> {

	static final String COLUMNS = "worker_id, version, owner, horizon, host, since, reported, stored_at";

	private static final int MAX_TOLD = 50;

	private final SnowflakeLayout layout;

	RegisterMapper(SnowflakeLayout layout) {
		this.layout = layout;
	}

	@Override
	public LeaseRegister mapRow(ResultSet row, int index) throws SQLException {
		List<String> faults = new ArrayList<>();
		long workerId = number(row, "worker_id", this.layout.maxWorkerId(), faults);
		long version = number(row, "version", Long.MAX_VALUE - 1, faults);
		WorkerLease lease = new WorkerLease(text(row, "owner", faults),
				number(row, "horizon", WorkerLease.MAX_TIME, faults), text(row, "host", faults),
				number(row, "since", WorkerLease.MAX_TIME, faults),
				number(row, "reported", WorkerLease.MAX_TIME, faults), version);
		long storedAt = number(row, "stored_at", WorkerLease.MAX_TIME, faults);
		if (!faults.isEmpty()) {
			return new LeaseRegister(workerId, lease, null, "its row cannot be used: " + String.join(", ", faults));
		}
		return new LeaseRegister(workerId, lease, storedAt, null);
	}

	// Not getLong: a table made by hand may have columns of any type, and what a driver
	// cannot convert would hide the other rows, too.
	private static long number(ResultSet row, String column, long max, List<String> faults) throws SQLException {
		@Nullable Object value = row.getObject(column);
		if (value == null) {
			faults.add(column + " is NULL");
			return 0;
		}
		String text = value.toString();
		try {
			long number = new BigDecimal(text).longValueExact();
			if (number < 0 || number > max) {
				faults.add("%s is %d, not from 0 to %d".formatted(column, number, max));
			}
			return number;
		}
		catch (ArithmeticException | NumberFormatException ex) {
			faults.add("%s is '%s', no whole number from 0 to %d".formatted(column,
					text.substring(0, Math.min(text.length(), MAX_TOLD)), max));
			return 0;
		}
	}

	private static String text(ResultSet row, String column, List<String> faults) throws SQLException {
		@Nullable String value = row.getString(column);
		if (value == null) {
			faults.add(column + " is NULL");
			return "NULL";
		}
		return value;
	}

	/**
	 * Sees to it that each worker ID has one register. Only in a table without its
	 * primary key may several rows have the same one.
	 * @param rows in ascending order of the worker ID
	 */
	static List<LeaseRegister> distinct(List<LeaseRegister> rows) {
		List<LeaseRegister> distinct = new ArrayList<>();
		for (LeaseRegister row : rows) {
			LeaseRegister before = distinct.isEmpty() ? null : distinct.get(distinct.size() - 1);
			if (before != null && before.workerId() == row.workerId()) {
				distinct.set(distinct.size() - 1, new LeaseRegister(row.workerId(), row.lease(), row.storedAt(),
						"several rows have worker_id %d, since the table lacks its primary key (name, worker_id)"
							.formatted(row.workerId())));
			}
			else {
				distinct.add(row);
			}
		}
		return distinct;
	}

}
