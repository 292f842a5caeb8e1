// The state that the server has reported, with values derived from the differences between reports.

import { History, MIN_SPAN } from "./history.js";

/** If more milliseconds than this lie between two successive reports, other reports between them are missing. The server sends one per second. */
const GAP = 5_000;

export class Key {

	failing = false;
	failingSince = null;
	history = new History();

	constructor(name) {
		this.name = name;
	}

	update(report, time) {
		const before = this.report;
		this.report = report;
		this.history.add(time, report.issued, report.fetches, report.failures);
		const failing = this.#isFailing(before, report);
		if (failing && !this.failing) {
			this.failingSince = time;
		}
		this.failing = failing;
	}

	#isFailing(before, report) {
		if (report.next || !report.lastError) {
			return false;
		}
		if (!before || report.fetches < before.fetches) {
			// the first report does not show whether the last fetch failed. If the buffer is used up, the fetch must have failed
			return !report.current || report.current.remaining === 0;
		}
		if (report.failures > before.failures) {
			return true;
		}
		return this.failing && report.fetches === before.fetches;
	}

	/** The number of IDs left in the current segment. */
	get remaining() {
		return Math.min(this.report.current?.remaining ?? 0, this.size);
	}

	get size() {
		return size(this.report.current);
	}

	get nextSize() {
		return size(this.report.next);
	}

	get isUsed() {
		return this.report.current !== null || this.report.failures > 0;
	}

	/** Computes the rate and the time left. The rate is null until it is known. */
	measure(now, since) {
		this.rate = this.history.rate(now, since);
		const left = this.remaining + this.nextSize;
		this.secondsLeft = (this.rate > 0) ? left / this.rate : Infinity;
		if (this.failing && left === 0) {
			this.secondsLeft = 0;
		}
	}

	get state() {
		if (this.failing) {
			return (this.secondsLeft === 0) ? "out" : (this.secondsLeft < 60) ? "low" : "failing";
		}
		return !this.isUsed ? "unused" : (this.rate === 0) ? "idle" : "ok";
	}

}

function size(segment) {
	return segment ? Number(BigInt(segment.to) - BigInt(segment.from)) : 0;
}

export class Model {

	/** The keys in use, by name, or null if segment mode is disabled. */
	keys = null;

	/** The keys that are not in use and may be shown, by name. */
	unused = new Map();

	/** The number of keys that have a row. */
	total = 0;
	snowflake = null;
	clients = null;
	snowflakeHistory = new History();

	#removed = new Set();

	/** The time of the last report, and a time after which no report is missing. */
	time = 0;
	since = 0;

	/** The IDs per second of both modes together, or null until the rate is known. */
	get rate() {
		return (this.time - this.since < MIN_SPAN) ? null
			: [...this.keys?.values() ?? []].reduce((sum, key) => sum + key.rate, this.snowflakeRate ?? 0);
	}

	apply(event) {
		const before = this.time;
		this.time = Date.parse(event.time);
		if (Math.abs(this.time - before) > GAP) {
			this.since = this.time;
		}
		this.name = event.name;
		if (event.whole) {
			this.#begin(event);
		}
		this.total = event.total;
		for (const name of event.removed) {
			this.keys.delete(name);
			this.#removed.add(name);
		}
		for (const [name, report] of Object.entries(event.keys ?? {})) {
			if (!this.keys.has(name)) {
				this.keys.set(name, this.#begun(name, event.whole ? 0 : before));
			}
			this.keys.get(name).update(report, this.time);
		}
		this.snowflake = event.snowflake;
		this.clients = event.clients;
		if (this.snowflake) {
			this.snowflakeHistory.add(this.time, this.snowflake.issued);
			this.snowflakeRate = this.snowflakeHistory.rate(this.time, this.since);
		}
		this.keys?.forEach((key) => key.measure(this.time, this.since));
	}

	/** Returns a key that was not in the previous report. Unless it was removed before, it was unused at that time, so its history begins with 0 IDs. */
	#begun(name, before) {
		const shown = this.unused.get(name);
		if (shown) {
			return shown;
		}
		const key = new Key(name);
		if (before && !this.#removed.has(name)) {
			key.history.add(before, 0);
		}
		return key;
	}

	#begin(event) {
		if (!event.keys) {
			this.keys = null;
			return;
		}
		this.keys ??= new Map();
		for (const name of this.keys.keys()) {
			if (!Object.hasOwn(event.keys, name)) {
				this.keys.delete(name);
			}
		}
	}

}
