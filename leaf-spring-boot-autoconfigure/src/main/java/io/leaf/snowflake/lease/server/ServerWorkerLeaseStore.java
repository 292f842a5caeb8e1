// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.server;

import java.net.URI;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.leaf.http.Answer;
import io.leaf.http.LeafServerException;
import io.leaf.http.LeafServers;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/**
 * Keeps the lease records on Leaf servers, which store the records in a database table.
 * <p>
 * If a server does not answer a write, the write is sent to the next server. A write that
 * is executed twice is harmless. Both requests name the same version to be replaced and
 * the same new version, so a server does not mistake the repetition for a conflict.
 */
public final class ServerWorkerLeaseStore implements WorkerLeaseStore {

	private static final String PATH = "/api/snowflake/lease/";

	/**
	 * How long a request may take, including the attempts on all servers. The timeout is
	 * long enough for a server to replace its connections after a failover of its
	 * database.
	 */
	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final LeafServers servers;

	private final String name;

	private volatile @Nullable SnowflakeLayout layout;

	/**
	 * Creates a store.
	 * @param servers the client that sends requests to the Leaf servers
	 * @param name the {@code leaf.name} to which the lease records belong
	 */
	public ServerWorkerLeaseStore(LeafServers servers, String name) {
		this.servers = servers;
		this.name = name;
	}

	@Override
	public String source() {
		return "server";
	}

	// sorted, because processes with the same URLs in different orders must have the same
	// identity
	@Override
	public String identity() {
		return source() + " "
				+ this.servers.urls().stream().map(URI::toString).sorted().collect(Collectors.joining(","));
	}

	@Override
	public void open(SnowflakeLayout layout) {
		this.layout = layout;
		post("open", parameters());
	}

	@Override
	public List<LeaseRecord> readAll() {
		Answer answer = post("records", parameters());
		return failing(() -> records(answer));
	}

	@Override
	public @Nullable LeaseRecord read(long workerId) {
		MultiValueMap<String, String> parameters = parameters();
		parameters.set("worker-id", String.valueOf(workerId));
		Answer answer = post("record", parameters);
		List<LeaseRecord> records = failing(() -> records(answer));
		return records.isEmpty() ? null : records.get(0);
	}

	private static List<LeaseRecord> records(Answer answer) {
		return answer.answers("records")
			.stream()
			.map(ServerWorkerLeaseStore::record)
			.sorted(Comparator.comparing(LeaseRecord::workerId))
			.toList();
	}

	private static LeaseRecord record(Answer record) {
		Lease lease = new Lease(record.text("owner"), record.number("horizon"), record.text("host"),
				record.number("since"), record.number("reported"), record.number("version"));
		return new LeaseRecord(record.number("workerId"), lease,
				record.has("storedAt") ? record.number("storedAt") : null,
				record.has("blockedBy") ? record.text("blockedBy") : null);
	}

	@Override
	public boolean write(long workerId, long version, Lease lease) {
		MultiValueMap<String, String> parameters = parameters();
		parameters.set("worker-id", String.valueOf(workerId));
		parameters.set("version", String.valueOf(version));
		parameters.set("owner", lease.owner());
		parameters.set("horizon", String.valueOf(lease.horizon()));
		parameters.set("host", lease.host());
		parameters.set("since", String.valueOf(lease.since()));
		parameters.set("reported", String.valueOf(lease.reported()));
		parameters.set("new-version", String.valueOf(lease.version()));
		Answer answer = post("write", parameters);
		return failing(() -> {
			// An answer without the field 'written' does not say whether the lease record
			// was written. In this case, number() throws the exception for a missing
			// field.
			if (!answer.has("written")) {
				answer.number("written");
			}
			return answer.isTrue("written");
		});
	}

	@Override
	public OptionalLong newWorkerId(Set<Long> except) {
		MultiValueMap<String, String> parameters = parameters();
		except.forEach((workerId) -> parameters.add("except", String.valueOf(workerId)));
		return number(post("new", parameters), "workerId");
	}

	@Override
	public OptionalLong currentTime() {
		return number(post("time", parameters()), "time");
	}

	private static OptionalLong number(Answer answer, String field) {
		return failing(() -> answer.has(field) ? OptionalLong.of(answer.number(field)) : OptionalLong.empty());
	}

	/**
	 * Does nothing, because other stores of the application may use the same client.
	 */
	@Override
	public void close() {
	}

	// every request contains the name and the layout, so that any server can answer the
	// request
	private MultiValueMap<String, String> parameters() {
		SnowflakeLayout layout = this.layout;
		if (layout == null) {
			throw new IllegalStateException("open() must be called first");
		}
		MultiValueMap<String, String> parameters = new LinkedMultiValueMap<>();
		parameters.set("name", this.name);
		parameters.set("timestamp-bits", String.valueOf(layout.timestampBits()));
		parameters.set("worker-bits", String.valueOf(layout.workerBits()));
		parameters.set("sequence-bits", String.valueOf(layout.sequenceBits()));
		parameters.set("unit", layout.unit().name());
		parameters.set("epoch", layout.epoch().toString());
		return parameters;
	}

	private Answer post(String method, MultiValueMap<String, String> parameters) {
		Answer answer = failing(() -> this.servers.post(PATH + method, parameters, TIMEOUT));
		if (answer == null) {
			throw new WorkerLeaseStoreException(
					"The Leaf server answers that a key has no row, although the request did not name a key. Check that leaf.server.urls are those of Leaf servers",
					null, false);
		}
		return answer;
	}

	private static <T extends @Nullable Object> T failing(Supplier<T> request) {
		try {
			return request.get();
		}
		catch (LeafServerException ex) {
			throw new WorkerLeaseStoreException(String.valueOf(ex.getMessage()), ex, ex.isRefusal());
		}
	}

}
