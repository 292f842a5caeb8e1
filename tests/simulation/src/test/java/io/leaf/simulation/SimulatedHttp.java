// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.leaf.http.LeafServers;
import io.leaf.http.SimulatedConnections;
import io.leaf.simulation.Link.LostAnswer;

import org.springframework.http.client.ClientHttpResponse;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.mock.web.MockHttpServletResponse;

/**
 * The simulated connections of a client to Leaf servers.
 */
final class SimulatedHttp {

	private static final long LONGEST_REPETITION = TimeUnit.MINUTES.toNanos(1);

	private final IssuingProcess owner;

	private final List<LeafServer> servers;

	private final Faults faults;

	private SimulatedHttp(IssuingProcess owner, List<LeafServer> servers, Faults faults) {
		this.owner = owner;
		this.servers = servers;
		this.faults = faults;
	}

	/**
	 * Creates the client of a process.
	 * @param owner the process, which has a link to each of the servers
	 */
	static LeafServers client(IssuingProcess owner, List<LeafServer> servers, Faults faults) {
		SimulatedHttp http = new SimulatedHttp(owner, servers, faults);
		return SimulatedConnections.create(servers.stream().map(LeafServer::url).toList(),
				(timeout) -> (url, method) -> new MockClientHttpRequest(method, url) {
					@Override
					protected ClientHttpResponse executeInternal() throws IOException {
						return http.send(this, timeout);
					}
				});
	}

	// Returns how often a request is repeated. A request that gives numbers back must not
	// be repeated, because numbers that are given back twice may be issued twice.
	private int repetitions(String path) {
		return (!path.endsWith("/give-back") && this.faults.happens(Fault.WRITE_REPEATED)) ? 1 : 0;
	}

	private ClientHttpResponse send(MockClientHttpRequest request, Duration timeout) throws IOException {
		LeafServer server = this.servers.stream()
			.filter((each) -> each.url().getHost().equals(request.getURI().getHost()))
			.findFirst()
			.orElseThrow();
		Process process = this.owner.process();
		Exchange exchange = new Exchange(this.owner, request.getURI().getPath(), request.getBodyAsString());
		long begun = process.nanoTime();
		try {
			this.owner.links().get(this.servers.indexOf(server)).write("POST", server.url() + " " + exchange, () -> {
				server.accept(exchange);
				return "arrived";
			});
		}
		catch (LostAnswer ex) {
			throw new IOException(ex.getMessage(), ex);
		}
		for (int i = repetitions(request.getURI().getPath()); i > 0; i--) {
			process.world().in(this.faults.duration(LONGEST_REPETITION), () -> server.accept(exchange.repeated()));
		}
		process.await(exchange::isOver, timeout.toNanos());
		MockHttpServletResponse answer = exchange.answer();
		if (answer == null || process.nanoTime() - begun > timeout.toNanos()) {
			throw new IOException(
					(answer == null && exchange.isOver()) ? "connection refused or closed" : "no answer in time");
		}
		return new MockClientHttpResponse(answer.getContentAsByteArray(), answer.getStatus());
	}

}
