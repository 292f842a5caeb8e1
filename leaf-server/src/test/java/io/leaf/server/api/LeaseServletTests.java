// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

import io.github.bucket4j.TimeMeter;
import io.leaf.server.ClientActivity;
import io.leaf.server.LeafServerProperties;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LeaseServlet}.
 */
class LeaseServletTests {

	private final List<String> calls = new ArrayList<>();

	private final ClientActivity activity = new ClientActivity(() -> Instant.ofEpochMilli(5));

	private final LeaseServlet servlet = new LeaseServlet(StubStore::new,
			new Clients(
					Map.of("shop",
							new LeafServerProperties.Client("sesame", null, List.of("*"),
									List.of("orders", "down", "other"), 1000)),
					false, Set.of(), TimeMeter.SYSTEM_NANOTIME),
			this.activity, new BodyMemory(Integer.MAX_VALUE));

	@Test
	void theStoreIsOpenedOnceForEachNameAndLayout() throws IOException {
		assertThat(answer("new", Map.of()).getContentAsString()).isEqualTo("{\"workerId\":\"3\"}");
		assertThat(answer("time", Map.of()).getContentAsString()).isEqualTo("{\"time\":\"77\"}");
		assertThat(answer("time", Map.of("worker-bits", "11", "sequence-bits", "11")).getStatus()).isEqualTo(200);
		assertThat(answer("time", Map.of("name", "other")).getStatus()).isEqualTo(200);
		assertThat(this.calls).containsExactly("open orders 41+10+12", "open orders 41+11+11", "open other 41+10+12");
		answer("open", Map.of());
		assertThat(this.calls).last().isEqualTo("open orders 41+10+12");
	}

	@Test
	void recordsAreWrittenAndRead() throws IOException {
		assertThat(answer("write", write()).getContentAsString()).isEqualTo("{\"written\":true}");
		assertThat(this.calls).last()
			.isEqualTo("write 5 -1 Lease[owner=a, horizon=10, host=h:1, since=1, reported=2, version=9]");
		assertThat(this.activity.report().leases())
			.containsExactly(new ClientActivity.Lease("shop", "orders", 5, "h:1", 10));
		Map<String, String> other = write();
		other.put("version", "8");
		assertThat(answer("write", other).getContentAsString()).isEqualTo("{\"written\":false}");
		assertThat(answer("record", Map.of("worker-id", "5")).getContentAsString()).isEqualTo("{\"records\":[]}");
		assertThat(answer("records", Map.of()).getContentAsString()).isEqualTo(
				"{\"records\":[{\"workerId\":\"4\",\"version\":\"9\",\"owner\":\"a%22\",\"horizon\":\"10\",\"host\":\"h%3A1\",\"since\":\"1\",\"reported\":\"2\",\"storedAt\":\"3\",\"blockedBy\":\"row+%7B\"}]}");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "NULL", textBlock = """
			worker-id      | 1024
			worker-id      | -1
			worker-id      | NULL
			version        | -2
			version        | 9223372036854775807
			new-version    | -1
			horizon        | 253402300800000
			since          | x
			host           | NULL
			owner          | 0123456789012345678901234567890123456789012345678901234567890123x
			name           | a/b
			name           | NULL
			unit           | HOURS
			epoch          | tomorrow
			worker-bits    | 65
			sequence-bits  | 63
			timestamp-bits | NULL
			""")
	void badParametersAreRefused(String name, String value) throws IOException {
		Map<String, String> parameters = write();
		parameters.put(name, value);
		assertThat(answer("write", parameters).getStatus()).isEqualTo(400);
		assertThat(this.calls).filteredOn((call) -> !call.startsWith("open")).isEmpty();
	}

	@Test
	void anUnreachableStoreIsReportedAsUnavailable() throws IOException {
		MockHttpServletResponse response = answer("open", Map.of("name", "down"));
		assertThat(response.getStatus()).isEqualTo(503);
		assertThat(response.getContentAsString()).contains("Cannot reach");
	}

	@ParameterizedTest
	@ValueSource(strings = { "open", "records", "record", "write", "new", "time" })
	void tokenAndNameAreCheckedBeforeTheStoreIsOpened(String method) throws IOException {
		MockHttpServletRequest request = request(method, write());
		request.removeHeader("Authorization");
		assertThat(answer(request).getStatus()).isEqualTo(401);
		MockHttpServletResponse forbidden = answer(method, Map.of("name", "invoices"));
		assertThat(forbidden.getStatus()).isEqualTo(403);
		assertThat(forbidden.getContentAsString()).contains("leaf.server.clients.shop.names");
		MockHttpServletRequest get = request(method, write());
		get.setMethod("GET");
		assertThat(answer(get).getStatus()).isEqualTo(405);
		assertThat(this.calls).isEmpty();
	}

	private static Map<String, String> write() {
		Map<String, String> parameters = new LinkedHashMap<>();
		parameters.putAll(Map.of("worker-id", "5", "version", "-1", "owner", "a", "horizon", "10", "host", "h:1",
				"since", "1", "reported", "2", "new-version", "9"));
		return parameters;
	}

	private MockHttpServletResponse answer(String method, Map<String, String> parameters) throws IOException {
		return answer(request(method, parameters));
	}

	private MockHttpServletResponse answer(MockHttpServletRequest request) throws IOException {
		MockHttpServletResponse response = new MockHttpServletResponse();
		this.servlet.service(request, response);
		return response;
	}

	private static MockHttpServletRequest request(String method, Map<String, String> parameters) {
		MockHttpServletRequest request = new MockHttpServletRequest("POST", "/api/snowflake/lease/" + method);
		request.setServletPath("/api/snowflake/lease/" + method);
		request.addHeader("Authorization", "Bearer sesame");
		Map<String, String> all = new LinkedHashMap<>();
		all.putAll(Map.of("name", "orders", "timestamp-bits", "41", "worker-bits", "10", "sequence-bits", "12", "unit",
				"MILLISECONDS", "epoch", "2020-01-01T00:00:00Z"));
		all.putAll(parameters);
		all.forEach((name, value) -> {
			if (value != null) {
				request.addParameter(name, value);
			}
		});
		return request;
	}

	private final class StubStore implements WorkerLeaseStore {

		private final String name;

		private StubStore(String name) {
			this.name = name;
		}

		@Override
		public String source() {
			return "stub";
		}

		@Override
		public String identity() {
			return null;
		}

		@Override
		public void open(SnowflakeLayout layout) {
			if (this.name.equals("down")) {
				throw new WorkerLeaseStoreException("Cannot reach the database", null, false);
			}
			LeaseServletTests.this.calls.add("open %s %d+%d+%d".formatted(this.name, layout.timestampBits(),
					layout.workerBits(), layout.sequenceBits()));
		}

		@Override
		public List<LeaseRecord> readAll() {
			return List.of(new LeaseRecord(4, new Lease("a\"", 10, "h:1", 1, 2, 9), 3L, "row {"));
		}

		@Override
		public LeaseRecord read(long workerId) {
			return null;
		}

		@Override
		public boolean write(long workerId, long version, Lease lease) {
			LeaseServletTests.this.calls.add("write %d %d %s".formatted(workerId, version, lease));
			return version == ABSENT;
		}

		@Override
		public OptionalLong newWorkerId(Set<Long> except) {
			return OptionalLong.of(3);
		}

		@Override
		public OptionalLong currentTime() {
			return OptionalLong.of(77);
		}

		@Override
		public void close() {
		}

	}

}
