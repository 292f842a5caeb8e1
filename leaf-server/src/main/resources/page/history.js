// What was issued and fetched during the last minutes, from the counts in the reports.
// Between two samples nothing has changed, so that idle keys cost nothing.

/** Over how many milliseconds a rate is told. */
const RATE_SPAN = 10_000;

/** For how many milliseconds reports must have come before a rate is told. */
export const MIN_SPAN = 5_000;

/** Milliseconds that a chart shows. */
export const SPAN = 300_000;

/** What is older than RATE_SPAN is kept at this distance, in milliseconds. */
const GRID = 5_000;

export class History {

	#recent = [];
	#past = [];

	add(time, issued, fetches = 0, failures = 0) {
		const last = this.#recent.at(-1);
		if (last && (issued < last.issued || fetches < last.fetches || failures < last.failures)) {
			// the server was started anew
			this.#recent = [];
			this.#past = [];
		}
		else if (last && issued === last.issued && fetches === last.fetches && failures === last.failures) {
			return;
		}
		this.#recent.push({ time, issued, fetches, failures });
		// one sample that old stays, since it tells the counts at the beginning of the span
		while (this.#recent.length > 1 && this.#recent[1].time <= time - RATE_SPAN - GRID) {
			this.#keep(this.#recent.shift());
		}
		while (this.#past.length > 1 && this.#past[1].time <= time - SPAN - GRID) {
			this.#past.shift();
		}
	}

	#keep(sample) {
		const last = this.#past.at(-1);
		if (last && Math.floor(last.time / GRID) === Math.floor(sample.time / GRID)) {
			this.#past.pop();
		}
		this.#past.push(sample);
	}

	/** The counts at a time, or at the first known time after it. */
	#at(time) {
		return this.#recent.findLast((sample) => sample.time <= time)
			?? this.#past.findLast((sample) => sample.time <= time) ?? this.#past[0] ?? this.#recent[0];
	}

	/** IDs per second, or null as long as they are not known. */
	rate(now, since) {
		const begin = Math.max(now - RATE_SPAN, since);
		return (now - begin >= MIN_SPAN) ? (this.#recent.at(-1).issued - this.#at(begin).issued) * 1000 / (now - begin) : null;
	}

	/** How much a count has grown during SPAN, as far as that was seen. */
	grown(count, now, since) {
		return this.#recent.at(-1)[count] - this.#at(Math.max(now - SPAN, since))[count];
	}

	/** How much a count has grown in each of the intervals between the times given; null if not all of an interval was seen. */
	steps(count, times, since) {
		return times.slice(1).map((end, i) => (times[i] < since) ? null : this.#at(end)[count] - this.#at(times[i])[count]);
	}

}

/** The ends of intervals, on a grid so that charts move steadily. */
export function intervals(now, length) {
	const end = Math.floor(now / length) * length;
	return Array.from({ length: SPAN / length + 1 }, (_, i) => end - SPAN + i * length);
}
