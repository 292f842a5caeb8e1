// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of several database servers, of which one or all accept writes, and the URL
 * that applications use. A test can stop, kill and freeze each member.
 * <p>
 * If the cluster does not fail over by itself, {@link #failOver} does what an operator or
 * a tool would do.
 */
public abstract class DatabaseCluster implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DatabaseCluster.class);

	/** The time limit for an answer of a member. */
	private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

	private static final long LIMIT = TimeUnit.SECONDS.toNanos(300);

	private final List<AutoCloseable> resources = new ArrayList<>();

	private String database = "";

	private List<String> atPromotion = List.of();

	/**
	 * Returns the members.
	 */
	public abstract List<? extends LocalServer> members();

	/**
	 * Returns the URL with which an application uses a database of the cluster.
	 * @param database the name of the database
	 * @param application the number of the application; if all members accept writes,
	 * applications may prefer different members
	 */
	public abstract String jdbcUrl(String database, int application);

	/**
	 * Promotes another member, or waits until the cluster has done so by itself. The
	 * former primary may still be running.
	 * @param former the former primary
	 */
	public abstract void failOver(LocalServer former);

	/**
	 * Moves writes to another member without a failure: a planned switchover.
	 */
	public abstract void switchOver();

	/**
	 * Makes the replica lag behind from now on, until the next failover.
	 */
	public void stopReplication() {
		throw new UnsupportedOperationException(this + " confirms only replicated commits");
	}

	/**
	 * Separates the primary from the other members while applications can still reach it,
	 * lets another member take over, and ends the partition. Afterwards, the former
	 * primary may be down.
	 */
	public void partition() {
		LocalServer former = primary();
		stopReplication();
		failOver(former);
		// the new primary already accepts writes
		former.kill();
	}

	/**
	 * Shuts a member down as an operator would.
	 * @param member the member
	 */
	public void stop(LocalServer member) {
		member.stop();
	}

	/**
	 * Starts a member that is down, adds it to the cluster again, and waits until it has
	 * all data.
	 * @param member the member, which must not be running
	 */
	public abstract void rejoin(LocalServer member);

	/**
	 * Returns whether a member accepts writes, according to the member itself.
	 * @param statement a statement on the member
	 */
	abstract boolean isWritable(Statement statement) throws SQLException;

	/**
	 * Returns a member that accepts writes. Waits until there is one.
	 */
	public final LocalServer primary() {
		return awaitPrimary(members());
	}

	/**
	 * Waits until one of the given members accepts writes.
	 * @param candidates the members
	 * @return the first member that accepts writes
	 */
	public final LocalServer awaitPrimary(List<? extends LocalServer> candidates) {
		long begin = System.nanoTime();
		while (System.nanoTime() - begin < LIMIT) {
			for (LocalServer member : candidates) {
				if (isWritable(member)) {
					return member;
				}
			}
			LockSupport.parkNanos(PAUSE);
		}
		throw new IllegalStateException("No member of " + this + " accepts writes");
	}

	final boolean isWritable(LocalServer member) {
		try (Connection connection = member.connect(JdbcUrls.withTimeout(member.jdbcUrl(), ANSWER_TIMEOUT));
				Statement statement = connection.createStatement()) {
			return isWritable(statement);
		}
		catch (SQLException ex) {
			logger.trace("{} does not accept writes", member, ex);
			return false;
		}
	}

	/**
	 * Creates a database on all members.
	 * @param name the beginning of its name
	 * @return the name of the database
	 */
	public String createDatabase(String name) {
		String url = primary().createDatabase(name);
		return url.substring(url.lastIndexOf('/') + 1);
	}

	public final String username() {
		return members().get(0).username();
	}

	public final String password() {
		return members().get(0).password();
	}

	/**
	 * Returns the addresses of all members, for a URL with several hosts.
	 * @param first the index of the member that comes first
	 */
	final String addresses(int first) {
		return IntStream.range(0, members().size())
			.mapToObj((i) -> "127.0.0.1:" + members().get((first + i) % members().size()).port())
			.collect(Collectors.joining(","));
	}

	/**
	 * Sets the statements that are executed on each promoted server before applications
	 * can reach it.
	 * @param database the name of the database
	 */
	public final void executeAtPromotion(String database, String... statements) {
		this.database = database;
		this.atPromotion = List.of(statements);
	}

	final void executeAtPromotion(LocalServer server, String... session) {
		if (this.atPromotion.isEmpty()) {
			return;
		}
		try (Connection connection = server.connect(JdbcUrls.withDatabase(server.jdbcUrl(), this.database));
				Statement statement = connection.createStatement()) {
			for (String sql : session) {
				statement.execute(sql);
			}
			for (String sql : this.atPromotion) {
				statement.execute(sql);
			}
		}
		catch (SQLException ex) {
			throw new IllegalStateException("Failed on " + server + ": " + this.atPromotion, ex);
		}
	}

	final List<LocalServer> others(LocalServer member) {
		return members().stream().filter((each) -> each != member).map(LocalServer.class::cast).toList();
	}

	/**
	 * Registers a resource that is closed with the cluster.
	 */
	final <T extends AutoCloseable> T closing(T resource) {
		this.resources.add(resource);
		return resource;
	}

	@Override
	public final void close() {
		for (AutoCloseable resource : this.resources) {
			try {
				resource.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException("Cannot close " + resource, ex);
			}
		}
	}

	/**
	 * Waits until a query returns an expected value.
	 */
	static void await(LocalServer member, String query, String expected) {
		long begin = System.nanoTime();
		String value = null;
		while (System.nanoTime() - begin < LIMIT) {
			value = query(member, query);
			if (expected.equals(value)) {
				return;
			}
			LockSupport.parkNanos(PAUSE);
		}
		throw new IllegalStateException("%s: the result of %s is %s, not %s".formatted(member, query, value, expected));
	}

	/**
	 * Repeats a statement until it succeeds.
	 */
	static void awaitSuccess(LocalServer member, String sql) {
		long begin = System.nanoTime();
		while (true) {
			try {
				member.execute(sql);
				return;
			}
			catch (IllegalStateException ex) {
				if (System.nanoTime() - begin > LIMIT) {
					throw ex;
				}
				LockSupport.parkNanos(PAUSE);
			}
		}
	}

	static @Nullable String query(LocalServer member, String query) {
		try (Connection connection = member.connect(JdbcUrls.withTimeout(member.jdbcUrl(), ANSWER_TIMEOUT));
				Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(query)) {
			return row.next() ? row.getString(1) : null;
		}
		catch (SQLException ex) {
			return ex.getMessage();
		}
	}

}
