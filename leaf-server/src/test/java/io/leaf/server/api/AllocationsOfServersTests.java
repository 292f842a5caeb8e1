// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.bucket4j.TimeMeter;
import io.leaf.ManualScheduler;
import io.leaf.SegmentUnavailableException;
import io.leaf.segment.InMemorySegmentStore;
import io.leaf.segment.ManualSegments;
import io.leaf.segment.SegmentIdGenerator;
import io.leaf.segment.TestSettings;
import io.leaf.server.ClientActivity;
import io.leaf.server.api.RangeServlet.RangeSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.json.JsonParserFactory;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts the allocations from the table while fifty clients of two servers issue 1,000
 * IDs per second each. The clients are generators with the default settings and a clock
 * that the test advances.
 */
class AllocationsOfServersTests {

	private static final int CLIENTS = 50;

	private static final int RATE = 1000;

	private static final int SERVERS = 2;

	private static final int MINUTES = 60;

	private final ManualScheduler scheduler = new ManualScheduler();

	private final InMemorySegmentStore table = new InMemorySegmentStore().put("order", 1, 1000);

	private boolean started;

	@Test
	void fiftyClientsWithAThousandIdsPerSecondCostAtMostThreeAllocationsPerServerAndMinute() {
		List<RangeServlet> servers = List.of(server(), server());
		List<SegmentIdGenerator> clients = new ArrayList<>();
		for (int i = 0; i < CLIENTS; i++) {
			clients.add(ManualSegments.create(new ClientStore(servers.get(i % SERVERS)), TestSettings.DEFAULTS,
					this.scheduler));
		}
		// the clients start within the first minutes
		play(clients, 20);
		long before = allocations();
		play(clients, MINUTES);
		double perServerAndMinute = (double) (allocations() - before) / MINUTES / SERVERS;
		assertThat(perServerAndMinute).isPositive().isLessThanOrEqualTo(3);
	}

	private RangeServlet server() {
		SegmentIdGenerator generator = ManualSegments.create(this.table, TestSettings.DEFAULTS, this.scheduler);
		draw(generator, 1);
		return new RangeServlet(generator, this.table,
				new RangeSettings(TestSettings.DEFAULTS.maxStep(), (key) -> false, (key) -> false),
				new Clients(Map.of(), true, Set.of(), TimeMeter.SYSTEM_NANOTIME),
				new ClientActivity(InstantSource.system()), new BodyMemory(Integer.MAX_VALUE));
	}

	private void play(List<SegmentIdGenerator> clients, int minutes) {
		for (int second = 0; second < minutes * 60; second++) {
			for (int i = 0; i < clients.size(); i++) {
				if (second >= 2 * i || this.started) {
					draw(clients.get(i), RATE);
				}
			}
			this.scheduler.advance(Duration.ofSeconds(1));
		}
		this.started = true;
	}

	private void draw(SegmentIdGenerator client, int count) {
		while (true) {
			try {
				client.nextIds("order", count);
				return;
			}
			catch (SegmentUnavailableException ex) {
				// callers of this test cannot wait: run the background tasks and try
				// again
				this.scheduler.advance(Duration.ofMillis(1));
			}
		}
	}

	private long allocations() {
		return this.table.calls().stream().filter((call) -> call.startsWith("allocate")).count();
	}

	/**
	 * Sends the requests of {@code ServerSegmentStore} to a servlet in this JVM.
	 */
	private static final class ClientStore extends InMemorySegmentStore {

		private final RangeServlet server;

		private long end;

		ClientStore(RangeServlet server) {
			this.server = server;
			put("order", 1, 1000);
		}

		@Override
		public @Nullable Allocation allocate(String key, long size, long floor, Duration timeout) {
			MockHttpServletRequest request = new MockHttpServletRequest("POST", "/api/segment/allocate/" + key);
			request.setServletPath("/api/segment/allocate");
			request.setPathInfo("/" + key);
			request.addParameter("size", String.valueOf(size));
			request.addParameter("floor", String.valueOf(Math.max(floor, this.end)));
			MockHttpServletResponse response = new MockHttpServletResponse();
			try {
				this.server.service(request, response);
				Map<String, Object> answer = JsonParserFactory.getJsonParser().parseMap(response.getContentAsString());
				this.end = number(answer, "to");
				return new Allocation(number(answer, "from"), this.end, number(answer, "rowStep"));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		private static long number(Map<String, Object> answer, String field) {
			return Long.parseLong(String.valueOf(answer.get(field)));
		}

	}

}
