// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.leaf.server.ClientActivity;
import io.leaf.server.api.Clients.Client;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;

/**
 * Keeps lease records in the table {@code leaf_worker} for applications that have no
 * store of their own ({@code leaf.snowflake.worker.source=server}). Each request states
 * the {@code leaf.name} and the layout of the application. Therefore, any server can
 * answer the request, and one server can serve many applications.
 * <p>
 * Each request to write a lease record states the version that it replaces and the new
 * version. Therefore, a write that is sent to two servers takes effect at most once.
 */
final class LeaseServlet extends StoreServlet {

	private static final long serialVersionUID = 1L;

	/**
	 * The paths.
	 */
	static final String[] PATHS = { "/api/snowflake/lease/open", "/api/snowflake/lease/records",
			"/api/snowflake/lease/record", "/api/snowflake/lease/write", "/api/snowflake/lease/new",
			"/api/snowflake/lease/time" };

	/**
	 * The maximum number of stores in memory. There is one store for each name and
	 * layout. If the maximum is reached, all stores are dropped. At the next request for
	 * a name and layout, a new store is opened.
	 */
	private static final int MAX_STORES = 10_000;

	private final transient Function<String, WorkerLeaseStore> factory;

	private final transient ClientActivity activity;

	private final transient Map<Application, WorkerLeaseStore> open = new ConcurrentHashMap<>();

	/**
	 * Creates the servlet.
	 * @param factory creates a store for a {@code leaf.name}. The stores must be safe for
	 * use by any number of threads
	 * @param clients the clients
	 * @param activity records the leases that are written
	 * @param memory the memory for large requests and responses
	 */
	LeaseServlet(Function<String, WorkerLeaseStore> factory, Clients clients, ClientActivity activity,
			BodyMemory memory) {
		super("/api/snowflake/lease/", "records", clients, memory);
		this.activity = activity;
		this.factory = factory;
	}

	@Override
	Map<String, Object> answer(String method, StoreRequest request, Client client) {
		String name = request.name();
		client.requireName(name);
		Application application = new Application(name, request.layout());
		if (method.equals("open")) {
			open(application);
			return Map.of();
		}
		WorkerLeaseStore store = this.open.get(application);
		return call(method, request, (store != null) ? store : open(application), application, client);
	}

	private Map<String, Object> call(String method, StoreRequest request, WorkerLeaseStore store,
			Application application, Client client) {
		SnowflakeLayout layout = application.layout();
		return switch (method) {
			case "records" -> Map.of("records", store.readAll().stream().map(LeaseServlet::json).toList());
			case "record" -> {
				LeaseRecord record = store.read(workerId(request, layout));
				yield Map.of("records", (record != null) ? List.of(json(record)) : List.of());
			}
			case "write" -> {
				long workerId = workerId(request, layout);
				Lease lease = request.lease();
				boolean written = store.write(workerId,
						request.number("version", WorkerLeaseStore.ABSENT, Long.MAX_VALUE - 1, null), lease);
				if (written) {
					this.activity.leaseWritten(client.name(), application.name(), workerId, lease.host(),
							lease.horizon());
				}
				yield Map.of("written", written);
			}
			case "new" -> json("workerId", store.newWorkerId(request.except()));
			default -> json("time", store.currentTime());
		};
	}

	private static long workerId(StoreRequest request, SnowflakeLayout layout) {
		return request.number("worker-id", 0, layout.maxWorkerId(), null);
	}

	private WorkerLeaseStore open(Application application) {
		WorkerLeaseStore store = this.factory.apply(application.name());
		store.open(application.layout());
		if (this.open.size() >= MAX_STORES) {
			this.open.clear();
		}
		this.open.put(application, store);
		return store;
	}

	private static Map<String, Object> json(String field, OptionalLong number) {
		return number.isPresent() ? Map.of(field, String.valueOf(number.getAsLong())) : Map.of();
	}

	// texts are URL-encoded, so that every JSON parser returns the same characters
	private static Map<String, Object> json(LeaseRecord record) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("workerId", String.valueOf(record.workerId()));
		json.put("version", String.valueOf(record.version()));
		json.put("owner", encode(record.lease().owner()));
		json.put("horizon", String.valueOf(record.lease().horizon()));
		json.put("host", encode(record.lease().host()));
		json.put("since", String.valueOf(record.lease().since()));
		json.put("reported", String.valueOf(record.lease().reported()));
		if (record.storedAt() != null) {
			json.put("storedAt", String.valueOf(record.storedAt()));
		}
		if (record.blockedBy() != null) {
			json.put("blockedBy", encode(record.blockedBy()));
		}
		return json;
	}

	private static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	/**
	 * The name and layout for which a store is opened.
	 *
	 * @param name the {@code leaf.name} of the application
	 * @param layout the layout of the application's IDs
	 */
	private record Application(String name, SnowflakeLayout layout) {

	}

}
