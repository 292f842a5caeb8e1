// The IDs issued and the fetches of the last minutes, computed from the counts in the reports.
// A sample is stored only when a count has changed, so idle keys cost nothing.
// In all methods, "since" is a time after which no report is missing.

/** Milliseconds over which a rate is computed. */
const RATE_SPAN = 10_000;

/** Milliseconds for which reports must have been received before a rate is shown. */
export const MIN_SPAN = 5_000;

/** The time span of a chart, in milliseconds. */
export const SPAN = 300_000;

/** The interval between stored samples older than RATE_SPAN, in milliseconds. */
const GRID = 5_000;

export class History {

	#recent = [];
	#past = [];

	add(time, issued, fetches = 0, failures = 0) {
		const last = this.#recent.at(-1);
		if (last && (issued < last.issued || fetches < last.fetches || failures < last.failures)) {
			// counts that have decreased mean that the server has been restarted
			this.#recent = [];
			this.#past = [];
		}
		else if (last && issued === last.issued && fetches === last.fetches && failures === last.failures) {
			return;
		}
		this.#recent.push({ time, issued, fetches, failures });
		// one older sample is kept, since it holds the counts at the beginning of the span
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

	/** The counts at a time or, if they are not known, the oldest known counts. */
	#at(time) {
		return this.#recent.findLast((sample) => sample.time <= time)
			?? this.#past.findLast((sample) => sample.time <= time) ?? this.#past[0] ?? this.#recent[0];
	}

	/** IDs per second, or null if the rate is not known yet. */
	rate(now, since) {
		const begin = Math.max(now - RATE_SPAN, since);
		return (now - begin >= MIN_SPAN) ? (this.#recent.at(-1).issued - this.#at(begin).issued) * 1000 / (now - begin) : null;
	}

	/** The growth of a count in the last SPAN milliseconds, or after "since" if that is a shorter time. */
	grown(count, now, since) {
		return this.#recent.at(-1)[count] - this.#at(Math.max(now - SPAN, since))[count];
	}

	/** The growth of a count in each interval between two successive times; null for an interval that begins before "since". */
	steps(count, times, since) {
		return times.slice(1).map((end, i) => (times[i] < since) ? null : this.#at(end)[count] - this.#at(times[i])[count]);
	}

}

/** The bounds of the intervals of a chart, aligned to multiples of their length, so that the value of a past interval does not change when the chart moves. */
export function intervals(now, length) {
	const end = Math.floor(now / length) * length;
	return Array.from({ length: SPAN / length + 1 }, (_, i) => end - SPAN + i * length);
}
