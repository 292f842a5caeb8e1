// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A world in which processes share a store. Processes start and faults happen until all
 * faults end. Every caller must then be served again. This may be repeated with the same
 * processes.
 *
 * @param <P> the type of the processes
 */
abstract class SharedStoreWorld<P extends IssuingProcess> {

	private static final long BETWEEN_FAULTS = TimeUnit.SECONDS.toNanos(8);

	private static final long LONGEST_FAULT = TimeUnit.SECONDS.toNanos(40);

	/**
	 * For how many recovery times to wait for callers whose processes have no source of
	 * IDs.
	 */
	private static final int ROUNDS = 4;

	private final World world;

	private final Faults faults;

	private final int maxProcesses;

	private final int maxStarts;

	private final List<LeafServer> servers = new ArrayList<>();

	private final List<P> processes = new ArrayList<>();

	private int starts;

	private boolean checked;

	/**
	 * Creates a world in which no process runs yet.
	 * @param maxProcesses the largest number of processes at a time
	 * @param maxStarts the largest total number of process starts
	 * @param servers whether there are Leaf servers, which do not count as processes
	 */
	SharedStoreWorld(World world, int maxProcesses, int maxStarts, boolean servers) {
		this.world = world;
		this.faults = new Faults(world, Fault.kinds(servers));
		this.maxProcesses = maxProcesses;
		this.maxStarts = maxStarts;
		for (long i = servers ? world.random().between(2, 3) : 0; i > 0; i--) {
			this.servers.add(new LeafServer(this.servers.size()));
		}
	}

	/**
	 * Returns the store.
	 */
	abstract Server server();

	/**
	 * Starts the initial processes.
	 */
	abstract void begin();

	/**
	 * Starts a process.
	 */
	abstract void start();

	/**
	 * Starts a process that listens as a Leaf server.
	 */
	abstract void start(LeafServer server);

	/**
	 * Repairs everything except the store and the links to it when all faults end.
	 */
	abstract void repair();

	/**
	 * Returns how long it may take until every caller is served again after all faults
	 * and the operations under way have ended.
	 */
	abstract Duration recovery();

	/**
	 * Returns whether further processes may start.
	 */
	boolean mayGrow() {
		return true;
	}

	/**
	 * Called when all faults and the operations under way have ended.
	 */
	void settled(P process) {
	}

	/**
	 * Returns whether a process has had a source of IDs for its callers since all faults
	 * ended.
	 */
	boolean canServe(P process) {
		return true;
	}

	/**
	 * Called when a process can reach the store again.
	 */
	void reachable(P process) {
	}

	/**
	 * Called after a process was killed, or has shut down gracefully.
	 */
	void ended(P process) {
	}

	/**
	 * Called when every caller has been served again.
	 * @return whether another time with faults follows
	 */
	boolean prepareNextRound() {
		return false;
	}

	/**
	 * Makes a fault happen.
	 * @param process the process to which the fault happens
	 * @param nanos how long it lasts
	 * @return whether the fault can happen in this world at present
	 */
	boolean inject(Fault fault, P process, long nanos) {
		switch (fault) {
			case CRASH -> {
				process.process().kill();
				ended(process);
			}
			case STOP -> process.stop(() -> ended(process));
			case PAUSE -> process.process().pause(nanos);
			case STORE_DOWN -> {
				server().down(true);
				process.process().trace("store down");
				this.world.in(nanos, () -> {
					server().down(false);
					this.processes.forEach(this::reachable);
				});
			}
			case LINK_CUT -> cut(process, nanos);
			case SERVER_CRASH, SERVER_STOP, SERVER_PAUSE, SERVER_LINK_CUT -> {
				return inject(fault, this.world.random().pick(this.servers), nanos);
			}
			default -> {
				return false;
			}
		}
		return true;
	}

	private boolean inject(Fault fault, LeafServer server, long nanos) {
		IssuingProcess listener = server.listener();
		if (listener == null || !listener.isServing()) {
			return false;
		}
		switch (fault) {
			case SERVER_CRASH -> {
				listener.process().kill();
				this.world.in(nanos, () -> restart(server));
			}
			case SERVER_STOP -> listener.stop(() -> restart(server));
			case SERVER_PAUSE -> listener.process().pause(nanos);
			default -> {
				listener.link().cut(true);
				listener.process().trace("link cut");
				this.world.in(nanos, () -> listener.link().cut(false));
			}
		}
		return true;
	}

	private void restart(LeafServer server) {
		if (!server.isOccupied()) {
			start(server);
		}
	}

	/**
	 * Returns the Leaf servers that a new process is a client of, in the order in which
	 * it knows them. The list is empty if the process uses the store itself.
	 */
	final List<LeafServer> drawServers() {
		if (this.servers.isEmpty() || this.world.random().chance(0.3)) {
			return List.of();
		}
		List<LeafServer> drawn = new ArrayList<>(this.servers);
		Collections.rotate(drawn, (int) this.world.random().between(1, drawn.size()));
		return drawn;
	}

	final List<LeafServer> servers() {
		return this.servers;
	}

	/**
	 * Returns the processes that listen as Leaf servers, or were the last to listen.
	 */
	final List<IssuingProcess> listeners() {
		return this.servers.stream().map(LeafServer::listener).filter(Objects::nonNull).toList();
	}

	/**
	 * Cuts all links of a process or, if it has links to several Leaf servers, sometimes
	 * only one of them.
	 */
	final void cut(P process, long nanos) {
		List<Link> links = process.links();
		if (links.size() > 1 && this.world.random().chance(0.7)) {
			links = List.of(this.world.random().pick(links));
		}
		List<Link> cut = links;
		cut.forEach((link) -> link.cut(true));
		process.process().trace((cut.size() > 1) ? "links cut" : "link cut");
		this.world.in(nanos, () -> {
			cut.forEach((link) -> link.cut(false));
			reachable(process);
		});
	}

	final long faultDuration() {
		return this.faults.duration(LONGEST_FAULT);
	}

	final List<P> processes() {
		return this.processes;
	}

	final boolean mayStart() {
		return this.starts < this.maxStarts;
	}

	/**
	 * Returns the name of the process that starts next.
	 */
	final String nextName() {
		return "p" + this.starts++;
	}

	final void add(P process) {
		this.processes.add(process);
		process.start();
	}

	/**
	 * Plays the schedule. Violations are recorded in the world.
	 */
	final void play() {
		begin();
		playFaults();
		while (this.world.violation() == null && prepareNextRound()) {
			this.world.resume();
			this.faults.begin();
			this.checked = false;
			playFaults();
		}
	}

	private void playFaults() {
		this.servers.forEach(this::restart);
		this.world.in(this.world.random().upTo(BETWEEN_FAULTS), this::fault);
		this.world.in(Faults.DURATION, this::end);
		this.world.runWhile(() -> !this.checked, Long.MAX_VALUE);
	}

	private void fault() {
		if (this.faults.areOver()) {
			return;
		}
		RandomSource random = this.world.random();
		this.processes.removeIf((process) -> !process.process().isAlive());
		boolean grows = mayGrow()
				&& (this.processes.isEmpty() || (this.processes.size() < this.maxProcesses && random.chance(0.3)));
		if (grows) {
			if (mayStart()) {
				start();
			}
		}
		else if (!this.processes.isEmpty()) {
			fault(random.pick(this.processes));
		}
		this.world.in(random.upTo(BETWEEN_FAULTS), this::fault);
	}

	private void fault(P process) {
		Fault fault = this.world.random().pick(this.faults.kinds());
		if (this.faults.has(fault) && process.isServing() && inject(fault, process, faultDuration())) {
			this.faults.count(fault);
		}
	}

	private void end() {
		this.faults.end();
		server().down(false);
		this.processes.forEach((process) -> {
			process.links().forEach((link) -> link.cut(false));
			reachable(process);
		});
		listeners().forEach((listener) -> listener.link().cut(false));
		repair();
		this.servers.forEach(this::restart);
		this.world.drain(() -> {
			// starts the Leaf servers that could not start before
			this.servers.forEach(this::restart);
			long settled = this.world.now();
			this.processes.removeIf((process) -> !process.isServing());
			checkLater(settled, ROUNDS);
		});
	}

	// A lease may run out only in the meantime, and then serve a process that had none.
	private void checkLater(long settled, int rounds) {
		this.processes.forEach(this::settled);
		// a process with a slow clock takes longer, as measured by other clocks
		int slowdown = this.faults.counts().containsKey(Fault.CLOCK_RATE) ? 2 : 1;
		this.world.in(recovery().toNanos() * slowdown, () -> check(settled, rounds - 1));
	}

	private void check(long settled, int rounds) {
		boolean served = true;
		for (P process : this.processes) {
			for (Caller caller : process.callers()) {
				if (process.process().isAlive() && caller.served() < settled && !caller.isCrowdedOut()) {
					served = false;
					checkServed(process);
				}
			}
		}
		if (served || rounds == 0) {
			this.checked = true;
		}
		else {
			checkLater(settled, rounds);
		}
	}

	private void checkServed(P process) {
		if (canServe(process)) {
			this.world.violated("%s: a caller was not served within %s of the end of all faults: %s"
				.formatted(process.process().name(), recovery(), process.status()));
		}
	}

	final World world() {
		return this.world;
	}

	/**
	 * Returns the faults of this world.
	 */
	final Faults faults() {
		return this.faults;
	}

	/**
	 * Returns how many IDs have been drawn.
	 */
	abstract int issuedIds();

}
