// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;

import javax.sql.DataSource;

import io.leaf.IdGenerator;
import io.leaf.it.load.Callers.IdSpace;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.SegmentStatus;

import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Runs one part in an application. The callers draw IDs for a quarter of the time, stop,
 * and draw IDs again for the remaining time. The heap is measured in between, after a
 * garbage collection that therefore delays no call.
 */
final class LoadRun {

	private final ApplicationContext context;

	private final CallerKind kind;

	private final LoadPart part;

	private final List<IdSpace> spaces;

	private final Map<String, Long> firsts = new HashMap<>();

	private int threads;

	LoadRun(ApplicationContext context, CallerKind kind, LoadPart part) {
		this.context = context;
		this.kind = kind;
		this.part = part;
		new JdbcTemplate(context.getBean(DataSource.class)).query("SELECT biz_tag, max_id FROM leaf_alloc", (row) -> {
			this.firsts.put(row.getString(1), row.getLong(2));
		});
		this.spaces = part.keys().stream().map((key) -> new IdSpace(key, ledger(key))).toList();
	}

	private IdLedger ledger(String key) {
		return (this.part == LoadPart.SNOWFLAKE) ? IdLedger.withGaps() : IdLedger.consecutive(this.firsts.get(key));
	}

	/**
	 * Runs the part.
	 * @param length how long the callers draw IDs
	 * @throws java.util.concurrent.ExecutionException if an ID is wrong
	 */
	LoadResult run(Duration length) throws Exception {
		Callers callers = new Callers(this.kind, this.context.getBean(IdGenerator.class), this.spaces,
				this.part.idsPerSecond());
		try (Connection connection = this.context.getBean(DataSource.class).getConnection()) {
			long statements = statements(connection);
			Duration quarter = length.dividedBy(4);
			long begin = System.nanoTime();
			CallTimes first = callers.run(quarter, this::countThreads);
			long nanos = System.nanoTime() - begin;
			long heapAtQuarter = heapInUse();
			long waits = total(SegmentStatus::waits);
			begin = System.nanoTime();
			CallTimes later = callers.run(length.minus(quarter), this::countThreads);
			nanos += System.nanoTime() - begin;
			// reading the number is a statement itself
			statements = statements(connection) - statements - 1;
			long ids = this.spaces.stream().mapToLong((space) -> space.ledger().ids()).sum();
			return new LoadResult(this.kind, this.part, Runtime.version().feature(), nanos, ids,
					first.failures() + later.failures(), first.longest(), later.longest(), later.slow(),
					later.longestPause(), segments(waits), statements, heapAtQuarter, heapInUse(), this.threads);
		}
	}

	private static long statements(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'Questions'")) {
			row.next();
			return row.getLong(2);
		}
	}

	private long heapInUse() {
		this.spaces.forEach((space) -> space.ledger().settle());
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	private void countThreads() {
		ThreadMXBean all = ManagementFactory.getThreadMXBean();
		long count = Arrays.stream(all.getThreadInfo(all.getAllThreadIds()))
			.filter(Objects::nonNull)
			.map(ThreadInfo::getThreadName)
			.filter((name) -> name.startsWith("leaf-"))
			.count();
		this.threads = Math.max(this.threads, (int) count);
	}

	private LoadResult.Segments segments(long waitsBefore) {
		if (this.part == LoadPart.SNOWFLAKE) {
			return null;
		}
		return new LoadResult.Segments(total(SegmentStatus::waits) - waitsBefore, total(SegmentStatus::fetches),
				total(SegmentStatus::failures), this.spaces.stream().mapToLong(this::missing).sum());
	}

	private long total(ToLongFunction<SegmentStatus> value) {
		SegmentIdGenerator generator = this.context.getBeanProvider(SegmentIdGenerator.class).getIfAvailable();
		return (generator != null) ? generator.status().values().stream().mapToLong(value).sum() : 0;
	}

	private long missing(IdSpace space) {
		SegmentStatus.Current current = this.context.getBean(SegmentIdGenerator.class).status(space.key()).current();
		long first = this.firsts.get(space.key());
		return ((current != null) ? current.next() - first : 0) - space.ledger().ids();
	}

}
