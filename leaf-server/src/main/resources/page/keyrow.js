// A key in the list.

import { chart } from "./chart.js";
import * as format from "./format.js";
import { intervals, SPAN } from "./history.js";

const STATES = {
	out: "No numbers left", low: "Runs out soon", failing: "No new segments", ok: "", idle: "Idle", unused: "Not used yet"
};

let rows = 0;

export class KeyRow {

	#key;
	#details = null;
	#charts = [];
	#now = 0;
	#since = 0;

	constructor(key) {
		this.#key = key;
		this.element = document.getElementById("row").content.firstElementChild.cloneNode(true);
		this.#find(".name").textContent = key.name;
		this.#find(".current .bar").setAttribute("aria-label", `Current segment of ${key.name}`);
		this.#find(".next .bar").setAttribute("aria-label", `Next segment of ${key.name}`);
		this.#find("button").addEventListener("click", () => this.#toggle());
	}

	#find(selector) {
		return this.element.querySelector(selector);
	}

	show(now, since) {
		const key = this.#key;
		this.#now = now;
		this.#since = since;
		this.element.dataset.state = key.state;
		write(this.#find(".state"), STATES[key.state]);
		bar(this.#find(".current"), key.remaining, key.size, key.size
			? `${format.count(key.remaining)} of ${format.count(key.size)}` : "none yet");
		bar(this.#find(".next"), key.nextSize, key.nextSize, key.nextSize
			? `${format.count(key.nextSize)} more` : key.failing ? "cannot be fetched" : "none yet");
		write(this.#find(".rate b"), format.perSecond(key.rate));
		write(this.#find(".left b"), format.duration(key.secondsLeft));
		write(this.#find(".fetches b"), format.count(key.report.fetches));
		write(this.#find(".failures b"), format.count(key.report.failures));
		this.#find(".failures").classList.toggle("some", key.history.grown("failures", now, since) > 0);
		if (this.#details) {
			this.#showDetails();
		}
	}

	#toggle() {
		const button = this.#find("button");
		if (this.#details) {
			this.remove();
			button.setAttribute("aria-expanded", "false");
			button.removeAttribute("aria-controls");
			return;
		}
		this.#details = document.getElementById("details").content.firstElementChild.cloneNode(true);
		this.#details.id = `details-${++rows}`;
		this.element.append(this.#details);
		button.setAttribute("aria-expanded", "true");
		button.setAttribute("aria-controls", this.#details.id);
		this.#charts = [
			chart(this.#find(".rate-chart"), "line", [["--accent", "IDs per second"]]),
			chart(this.#find(".fetch-chart"), "bar", [["--accent", "fetches"], ["--bad", "failures"]])
		];
		this.#showDetails();
	}

	#showDetails() {
		const { history, report, rate, name } = this.#key;
		const fine = intervals(this.#now, 5_000);
		const perSecond = history.steps("issued", fine, this.#since).map((step) => step === null ? null : step / 5);
		this.#charts[0].show([perSecond], `IDs per second of ${name} in the last five minutes: ${format.rates(rate, perSecond)}`);
		const coarse = intervals(this.#now, 15_000);
		coarse.push(this.#now);
		const counts = ["fetches", "failures"].map((count) => history.steps(count, coarse.slice(1), this.#since));
		this.#charts[1].show(counts, `Segments of ${name} since ${format.time(Math.max(this.#since, this.#now - SPAN))}: ${["fetches", "failures"]
			.map((count) => `${history.grown(count, this.#now, this.#since)} ${count}`).join(", ")}`);
		facts(this.#details.querySelector("dl"), {
			"Current segment": report.current ? range(report.current) : "none yet",
			"Next number": report.current ? format.bigNumber(report.current.next) : "–",
			"Next segment": report.next ? range(report.next) : "none yet",
			"Step": `${format.count(report.step)}, in the row ${format.count(report.rowStep)}`,
			"Issued since startup": format.count(report.issued),
			"Fetches, failures, waits": [report.fetches, report.failures, report.waits].map(format.count).join(", "),
			"Last fetch": report.lastFetch ? format.time(Date.parse(report.lastFetch)) : "–",
			"Last error": report.lastError ?? "none"
		});
	}

	/** Removes the details and their charts. */
	remove() {
		this.#charts.forEach((drawn) => drawn.remove());
		this.#charts = [];
		this.#details?.remove();
		this.#details = null;
	}

}

function range(segment) {
	return `${format.bigNumber(segment.from)} to ${format.bigNumber(BigInt(segment.to) - 1n)}`;
}

function bar(element, value, max, words) {
	const meter = element.querySelector(".bar");
	const fill = meter.firstElementChild;
	const part = max ? value / max : 0;
	// a bar is animated when it shrinks, but not when a new segment makes it longer
	fill.classList.toggle("jump", part > (fill.part ?? 0));
	fill.part = part;
	fill.style.width = `${part * 100}%`;
	meter.setAttribute("aria-valuemax", Math.max(max, 1));
	meter.setAttribute("aria-valuenow", value);
	meter.setAttribute("aria-valuetext", words);
	write(element.querySelector(".amount"), words);
}

function facts(list, entries) {
	const names = Object.keys(entries);
	if (!list.firstChild) {
		names.forEach((name) => {
			const pair = document.createElement("div");
			pair.append(document.createElement("dt"), document.createElement("dd"));
			pair.firstChild.textContent = name;
			list.append(pair);
		});
	}
	names.forEach((name, i) => write(list.children[i].lastChild, entries[name]));
}

/** Writes a text only if it has changed, so that selections and screen readers are not disturbed. */
function write(element, text) {
	if (element.textContent !== text) {
		element.textContent = text;
	}
}
