// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import javassist.CannotCompileException;
import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtField;
import javassist.CtMethod;
import javassist.NotFoundException;
import javassist.expr.ExprEditor;
import javassist.expr.MethodCall;
import javassist.expr.NewExpr;

/**
 * Plausible mistakes that are put into the classes of the library or of the simulated
 * stores. The simulation must find each of them.
 */
enum Defect {

	/** A lease record is written regardless of its version. */
	WRITE_WITHOUT_VERSION(WorldKind.LEASES, "io.leaf.simulation.SimulatedLeaseRecords", "write",
			body("{ return put($1, $3); }")),

	/** The generator uses a horizon before the store has confirmed it. */
	HORIZON_BEFORE_CONFIRMATION(WorldKind.LEASES, "io.leaf.snowflake.lease.HeldLease", "attempt",
			before("{ if (!$1.isEmpty()) { this.horizon = Math.max(this.horizon, $2); } }")),

	/**
	 * A renewal without an answer is treated as confirmed, without reading the lease
	 * record.
	 */
	UNANSWERED_RENEWAL_CONFIRMED(WorldKind.LEASES, "io.leaf.snowflake.lease.HeldLease", "look",
			before("{ if (this.failure != null && !$1.isReleased()) { this.horizon = $1.horizon();"
					+ " return true; } }")),

	/** A renewal does not write the new horizon. */
	HORIZON_NOT_PERSISTED(WorldKind.LEASES, "io.leaf.simulation.SimulatedLeaseRecords", "put",
			before("{ io.leaf.snowflake.lease.LeaseRecord old = read($1);"
					+ " if (old != null && old.lease().owner().equals($2.owner())) {"
					+ " $2 = new io.leaf.snowflake.lease.Lease($2.owner(), old.lease().horizon(), $2.host(),"
					+ " $2.since(), $2.reported(), $2.version()); } }")),

	/** Draws ignore the horizon. */
	HORIZON_IGNORED(WorldKind.LEASES, "io.leaf.snowflake.SnowflakeLane", "extend",
			body("{ this.horizon = $1; this.limit = Long.MAX_VALUE >> 2; }")),

	/** The next holder begins with the last timestamp of the previous holder. */
	LAST_TIMESTAMP_REUSED(WorldKind.LEASES, "io.leaf.snowflake.lease.HeldLease", "floor",
			body("{ return this.floor - 1L; }")),

	/** A worker ID is released although its lane has not been sealed. */
	RELEASED_WHILE_ISSUING(WorldKind.LEASES, "io.leaf.snowflake.SnowflakeLanes", "stop", body("{ }")),

	/**
	 * A lease that has not run out is claimed, and its timestamps are used from the time
	 * of the claiming process on.
	 */
	LEASE_CLAIMED_TOO_EARLY(WorldKind.LEASES, "io.leaf.snowflake.lease.LeaseClaims", "isClaimable",
			body("{ return true; }").and("io.leaf.snowflake.SnowflakeLane", "open", before("{ $1 = 0L; }"))),

	/** A process resumes from a state file that was copied from another disk. */
	COPIED_FILE_RESUMED(WorldKind.LEASES, "io.leaf.simulation.SimulatedDisk", "isCopied", body("{ return false; }")),

	/**
	 * A process that resumes its claim starts at its own time, regardless of the
	 * reservation.
	 */
	RESERVATION_IGNORED_ON_RESUME(WorldKind.LEASES, "io.leaf.snowflake.lease.HeldLease", "resume",
			calls("reservedUntil", "{ $_ = 0L; }")),

	/** The generator uses timestamps beyond the reservation on disk. */
	RESERVATION_EXCEEDED(WorldKind.LEASES, "io.leaf.snowflake.lease.LeasedLanes", "advance",
			calls("reservedUntil", "{ $_ = $proceed($$) + 20000L; }")),

	/** A process that has lost its worker ID does not claim another one. */
	LOST_LEASE_NOT_REPLACED(WorldKind.LEASES, "io.leaf.snowflake.lease.LeaseRenewal", "replace",
			body("{ return null; }")),

	/** A process resumes from a state file that holds a claim of another store. */
	FILE_OF_ANOTHER_STORE_RESUMED(WorldKind.LEASES, "io.leaf.simulation.SimulatedDisk", "isOfAnotherStore",
			body("{ return false; }")),

	/**
	 * A claim continues as long as the lease record has its owner, even if the store went
	 * back to an earlier state of the lease record.
	 */
	STORE_REGRESSION_IGNORED(WorldKind.LEASES, "io.leaf.snowflake.lease.HeldLease", "look",
			calls("end", "{ $_ = ($1 != null && $1.lease().owner().equals(owner())) ? null : $proceed($$); }")),

	/** A missing lease record does not end the lease. */
	MISSING_LEASE_RECORD_IGNORED(WorldKind.LEASES, "io.leaf.snowflake.lease.HeldLease", "look",
			calls("read", "{ $_ = $proceed($$); if ($_ == null) { return false; } }")),

	/** A lane whose worker ID another process has claimed continues up to its horizon. */
	LOST_LANE_NOT_SEALED(WorldKind.LEASES, "io.leaf.snowflake.lease.LeaseRenewal", "seal",
			body("{ this.claims.used($1.lease().workerId(), $1.lane().lastUsed()); }")),

	/**
	 * If the store is available, the timestamps that the state file marks as used do not
	 * raise the floor.
	 */
	SAVED_WORKER_ID_WITHOUT_FLOOR(WorldKind.LEASES, "io.leaf.snowflake.lease.LeaseKeeper", "recall",
			calls("used", "{ }")),

	/** If two processes hold the same claim, neither stops using it. */
	COPIED_CLAIM_CONTINUED(WorldKind.LEASES, "io.leaf.snowflake.lease.HeldLease", "end",
			calls("contains", "{ $_ = true; }")),

	/** If no worker ID was free, the replacement of a sealed lane is not retried. */
	REPLACEMENT_NOT_RETRIED(WorldKind.LEASES, "io.leaf.snowflake.lease.LeaseRenewal", "replace",
			before("{ if (this.failures > 0) { return null; } }")),

	/** A worker ID that was lost is never claimed again. */
	LOST_WORKER_ID_EXCLUDED(WorldKind.LEASES, "io.leaf.snowflake.lease.LeaseClaims", "used",
			before("{ $2 = Long.MAX_VALUE; }")),

	/**
	 * The clock is compared with the mean of the members' clocks instead of the median.
	 */
	MEAN_OF_CLOCKS(WorldKind.LEASES, "io.leaf.snowflake.lease.ClockCheck", "median",
			calls("sorted", "{ Object[] all = $0.toArray(); long mean = 0L;"
					+ " for (int i = 0; i < all.length; i++) { mean += ((Long) all[i]).longValue() / all.length; }"
					+ " java.util.Arrays.fill(all, Long.valueOf(mean)); $_ = java.util.Arrays.stream(all); }")),

	/** A renewal reports the generator's clock instead of the wall clock. */
	GENERATOR_TIME_REPORTED(WorldKind.LEASES, "io.leaf.snowflake.lease.HeldLease", "renew",
			field("private long generatorTime;").and(before("{ this.generatorTime = $1; }"))
				.and("io.leaf.snowflake.lease.HeldLease", "attempt",
						calls("getAsLong", "{ $_ = (this.generatorTime > 0L) ? this.generatorTime : $proceed($$); }"))),

	/**
	 * The horizon of a renewal that was not answered is treated as confirmed once it is
	 * read.
	 */
	HORIZON_CONFIRMED_BY_READ(WorldKind.LEASES, "io.leaf.snowflake.lease.HeldLease", "look",
			calls("end",
					"{ $_ = $proceed($$); if ($_ == null) {"
							+ " this.horizon = Math.max(this.horizon, $1.lease().horizon()); } }")),

	/** A write that is sent twice takes effect twice. */
	REPEATED_WRITE_TAKES_EFFECT(WorldKind.LEASES, "io.leaf.simulation.SimulatedLeaseRecords", "write",
			field("private final java.util.Set seen = new java.util.HashSet();")
				.and(before("{ if (!this.seen.add(Long.valueOf($3.version()))) { return put($1, $3); } }"))),

	/** The upper bound of a segment is also issued. */
	UPPER_BOUND_INCLUSIVE(WorldKind.SEGMENTS, "io.leaf.segment.SegmentFetcher", "arrived",
			creations("io.leaf.segment.Segment", "{ $_ = $proceed($1, $2 + 1L, $3, $4); }")),

	/**
	 * A segment is interpreted as {@code (max_id - step, max_id]}, as in articles about
	 * Leaf.
	 */
	BOUNDS_OFF_BY_ONE(WorldKind.SEGMENTS, "io.leaf.segment.SegmentFetcher", "arrived",
			creations("io.leaf.segment.Segment", "{ $_ = $proceed($1 + 1L, $2 + 1L, $3, $4); }")),

	/** A fetch is rolled back with the transaction of its caller. */
	FETCH_IN_CALLERS_TRANSACTION(WorldKind.SEGMENTS, "io.leaf.simulation.SimulatedTable", "allocate",
			field("private int transactions = 1;").and(after("{ if ($_ != null && this.transactions++ % 7 == 0) {"
					+ " put(new io.leaf.segment.SegmentRow($2, $_.from(), $_.rowStep())); } }"))),

	/** Numbers are given back although another process has allocated since. */
	GIVEN_BACK_WITHOUT_CONDITION(WorldKind.SEGMENTS, "io.leaf.simulation.SimulatedTable", "giveBack",
			body("{ if (row($1) == null) { return false; }"
					+ " put(new io.leaf.segment.SegmentRow($1, $2, row($1).step())); return true; }")),

	/** Numbers are given back but are still issued. */
	GIVEN_BACK_WHILE_ISSUING(WorldKind.SEGMENTS, "io.leaf.segment.Segment", "fence",
			body("{ return Math.min(cursor(), this.to); }")),

	/**
	 * A database that has lost writes is trusted: a segment below earlier segments is
	 * accepted.
	 */
	REGRESSION_NOT_REFUSED(WorldKind.SEGMENTS, "io.leaf.segment.KeyAllocator", "allocateAscending",
			body("{ return this.store.allocate(this.key, $1, 0L, $2); }")),

	/**
	 * With global ordering, a number is allocated in addition, and kept for a later call.
	 */
	SERVED_BY_EARLIER_ALLOCATION(WorldKind.SEGMENTS, "io.leaf.segment.GlobalSequence", "runOnce",
			field("private long spare = -1L;")
				.and(calls("allocate", "{ $_ = $proceed($1 + 1L); if ($_ != null) { this.spare = $_.to() - 1L; } }"))
				.and("io.leaf.segment.GlobalSequence", "next",
						before("{ long spare = this.spare; if (spare != -1L && $1 == 1) {"
								+ " this.spare = -1L; return spare; } }"))
				.and("io.leaf.simulation.SegmentProcess", "checkDemand", body("{ }"))),

	/** A key with global ordering allocates more numbers than its callers need. */
	ALLOCATION_LARGER_THAN_DEMAND(WorldKind.SEGMENTS, "io.leaf.segment.GlobalSequence", "runOnce",
			calls("allocate", "{ $_ = $proceed($1 + 1L); }")),

	/** A failed fetch is not retried. */
	FETCH_NOT_RETRIED(WorldKind.SEGMENTS, "io.leaf.segment.SegmentFetcher", "retry", body("{ }")),

	/**
	 * After a failover, a process records the new server but does not raise the counters.
	 */
	COUNTERS_NOT_RAISED(WorldKind.SEGMENTS, "io.leaf.segment.jdbc.FailoverGap", "raise",
			calls("raise", "{ $proceed($1, $2, 0L); }")),

	/** A row that a failover has lost is added again as if its key were new. */
	LOST_ROW_RESTARTED(WorldKind.SEGMENTS, "io.leaf.segment.jdbc.FailoverGap", "firstNumber", body("{ return $1; }")),

	/**
	 * The store does not check the time, so the process's estimate of the time decides in
	 * which period numbers are allocated.
	 */
	WINDOW_TIME_NOT_CHECKED(WorldKind.PERIODS, "io.leaf.simulation.SimulatedTable", "isWithin",
			body("{ return true; }")),

	/** The numbers of a period do not begin at the first number of the period. */
	PERIOD_FLOOR_OMITTED(WorldKind.PERIODS, "io.leaf.segment.PeriodAllocator", "attempt",
			creations("io.leaf.segment.SegmentStore$Window", "{ $_ = $proceed(0L, $2, $3, $4, $5); }")),

	/**
	 * After a failover that lost all numbers of a period, the period begins at 1 again.
	 */
	LOST_START_OF_PERIOD_REPEATED(WorldKind.PERIODS, "io.leaf.segment.PeriodAllocator", "attempt",
			calls("since", "{ $_ = 0L; }")),

	/** The rest of a period's numbers is issued after the period has ended. */
	EXPIRED_SEGMENT_NOT_DROPPED(WorldKind.PERIODS, "io.leaf.segment.PeriodAllocator", "expired",
			body("{ return 0L; }")),

	/** The clock of the store is read only once, and is estimated from then on. */
	CLOCK_NOT_READ_AGAIN(WorldKind.PERIODS, "io.leaf.segment.PeriodAllocator", "allocate",
			calls("isBefore", "{ $_ = true; }")),

	/**
	 * The process uses only the monotonic clock, which stands still while the machine
	 * sleeps.
	 */
	WALL_CLOCK_IGNORED(WorldKind.PERIODS, "io.leaf.segment.PeriodAllocator$StoreClock", "millis",
			calls("max", "{ $_ = $1; }")),

	/** A period begins at its second number. */
	FIRST_NUMBER_SKIPPED(WorldKind.PERIODS, "io.leaf.segment.KeyPeriod", "startingAt",
			creations("io.leaf.segment.KeyPeriod$Period", "{ $_ = $proceed($1, $2 + 1L, $3, $4, $5); }")),

	/**
	 * A server hands out numbers that lie below those that another server has handed out
	 * to the same client.
	 */
	FLOOR_IGNORED_BY_SERVER(WorldKind.SEGMENTS_OF_SERVERS, "io.leaf.server.api.RangeServlet", "allocate",
			calls("takeRange", "{ $_ = $proceed($1, $2, 0L); }")),

	/** A server hands out numbers from its memory for a key with global ordering. */
	GLOBAL_ORDERING_SERVED_FROM_MEMORY(WorldKind.SEGMENTS_OF_SERVERS, "io.leaf.server.api.RangeServlet", "allocate",
			calls("direct", "{ $_ = false; }")),

	/** The last number of a range also stays in the memory of the server. */
	END_OF_RANGE_KEPT(WorldKind.SEGMENTS_OF_SERVERS, "io.leaf.segment.Segment", "drawRange",
			calls("compareAndSet", "{ $_ = $proceed($1, Math.max($1 + 1L, $2 - 1L)); }")),

	/**
	 * A server answers a request from a cache if it equals the last request for the same
	 * key.
	 */
	RANGE_FROM_CACHE(WorldKind.SEGMENTS_OF_SERVERS, "io.leaf.server.api.RangeServlet", "allocate",
			field("private final java.util.Map answers = new java.util.HashMap();").and(calls("takeRange",
					"{ String request = $2 + \" \" + $3; Object[] last = (Object[]) this.answers.get($1);"
							+ " if (last != null && last[0].equals(request)) {"
							+ " $_ = (io.leaf.segment.SegmentStore$Allocation) last[1]; }"
							+ " else { $_ = $proceed($$); if ($_ != null) {"
							+ " this.answers.put($1, new Object[] { request, $_ }); } } }"))),

	/**
	 * Numbers that a client gives back are returned to the table and are also handed out
	 * to the next client.
	 */
	GIVEN_BACK_INTO_MEMORY(WorldKind.SEGMENTS_OF_SERVERS, "io.leaf.server.api.RangeServlet", "giveBack",
			field("private final java.util.Map returned = new java.util.HashMap();")
				.and(before("{ java.util.Iterator all = $1.iterator(); while (all.hasNext()) {"
						+ " io.leaf.segment.SegmentStore$Unissued each ="
						+ " (io.leaf.segment.SegmentStore$Unissued) all.next();"
						+ " this.returned.put(each.key(), new io.leaf.segment.SegmentStore$Allocation("
						+ "each.from(), each.to(), 0L)); } }"))
				.and("io.leaf.server.api.RangeServlet", "allocate",
						calls("takeRange", "{ io.leaf.segment.SegmentStore$Allocation returned ="
								+ " (io.leaf.segment.SegmentStore$Allocation) this.returned.get($1);"
								+ " if (returned != null && returned.from() >= $3) {"
								+ " this.returned.remove($1); $_ = returned; } else { $_ = $proceed($$); } }"))),

	/** A proxy repeats the request that gives numbers back. */
	GIVEN_BACK_TWICE(WorldKind.SEGMENTS_OF_SERVERS, "io.leaf.simulation.SimulatedHttp", "repetitions",
			body("{ return $1.endsWith(\"/give-back\") ? 5 : 0; }")),

	/**
	 * A server writes a lease record regardless of the version that the client has seen.
	 */
	SERVER_WRITES_WITHOUT_VERSION(WorldKind.LEASES_OF_SERVERS, "io.leaf.server.api.LeaseServlet", "call",
			calls("write",
					"{ io.leaf.snowflake.lease.LeaseRecord seen = $0.read($1);"
							+ " $_ = $proceed($1, (seen != null) ? seen.version() : $2, $3); }")),

	/** A server confirms a lease write although the store has not answered. */
	SERVER_CONFIRMS_UNANSWERED_WRITE(WorldKind.LEASES_OF_SERVERS, "io.leaf.server.api.LeaseServlet", "call",
			calls("write",
					"{ try { $_ = $proceed($$); }"
							+ " catch (io.leaf.snowflake.lease.WorkerLeaseStoreException ex) { $_ = true; } }")),

	/**
	 * A server allocates numbers of a period regardless of the bounds and times of the
	 * period.
	 */
	WINDOW_LOST_BY_SERVER(WorldKind.PERIODS_OF_SERVERS, "io.leaf.server.api.RangeServlet", "allocate",
			calls("window", "{ $_ = null; }").and(calls("requireNoPeriod", "{ }")));

	private final WorldKind kind;

	private final String type;

	private final String method;

	private final Change change;

	Defect(WorldKind kind, String type, String method, Change change) {
		this.kind = kind;
		this.type = type;
		this.method = method;
		this.change = change;
	}

	/**
	 * Returns the kind of world that shows this defect.
	 */
	WorldKind kind() {
		return this.kind;
	}

	/**
	 * Puts the defect into classes that have not been loaded yet.
	 */
	void putInto(ClassPool classes) throws NotFoundException, CannotCompileException {
		this.change.change(classes.get(this.type).getDeclaredMethod(this.method));
	}

	private static Change field(String code) {
		return (method) -> {
			CtClass type = method.getDeclaringClass();
			type.addField(CtField.make(code, type));
		};
	}

	private static Change body(String code) {
		return (method) -> method.setBody(code);
	}

	private static Change before(String code) {
		return (method) -> method.insertBefore(code);
	}

	private static Change after(String code) {
		return (method) -> method.insertAfter(code);
	}

	private static Change calls(String name, String code) {
		return (method) -> method.instrument(new ExprEditor() {

			@Override
			public void edit(MethodCall call) throws CannotCompileException {
				if (call.getMethodName().equals(name)) {
					call.replace(code);
				}
			}

		});
	}

	private static Change creations(String type, String code) {
		return (method) -> method.instrument(new ExprEditor() {

			@Override
			public void edit(NewExpr creation) throws CannotCompileException {
				if (creation.getClassName().equals(type)) {
					creation.replace(code);
				}
			}

		});
	}

	/**
	 * A change to a method.
	 */
	private interface Change {

		void change(CtMethod method) throws NotFoundException, CannotCompileException;

		/**
		 * Returns this change followed by another change to the same method.
		 */
		default Change and(Change next) {
			return (method) -> {
				change(method);
				next.change(method);
			};
		}

		/**
		 * Returns this change followed by a change to another method.
		 */
		default Change and(String type, String name, Change next) {
			return and((method) -> next
				.change(method.getDeclaringClass().getClassPool().get(type).getDeclaredMethod(name)));
		}

	}

}
