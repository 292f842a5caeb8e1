// Alerts, which are shown at the top of the page and in its title, and announced to screen readers.

import * as format from "./format.js";

/** How long to show that segments are available again, in milliseconds. */
const WELL = 60_000;

const alert = document.getElementById("alert");
const announcements = document.getElementById("announcements");

let failingSince = null;
let wellSince = null;
let downtime = 0;
const announced = new Set();

/** Announces a text to screen readers, without interrupting them. */
export function announce(text) {
	announcements.textContent = text;
}

export function showAlerts(model) {
	const failing = [...model.keys?.values() ?? []].filter((key) => key.failing)
		.sort((a, b) => a.secondsLeft - b.secondsLeft || (a.remaining + a.nextSize) - (b.remaining + b.nextSize));
	document.title = `${failing.length ? "⚠ " : ""}Leaf ${model.name}`;
	if (failing.length) {
		showFailing(model, failing);
	}
	else if (failingSince !== null) {
		wellSince = model.time;
		downtime = (wellSince - failingSince) / 1000;
		failingSince = null;
		announced.clear();
		showWell();
	}
	else if (wellSince !== null && model.time - wellSince > WELL) {
		wellSince = null;
		alert.hidden = true;
	}
}

function showFailing(model, failing) {
	const begins = failingSince === null;
	failingSince ??= Math.min(...failing.map((key) => key.failingSince));
	const [first] = failing;
	const title = `No new segments for ${failing.length} of ${format.plural(model.total, "key", "keys")} since ${format.time(failingSince)}`;
	const out = failing.filter((key) => key.state === "out");
	const text = out.length ? `${names(out)} ${out.length === 1 ? "has" : "have"} no numbers left: calls fail.${next(failing)}`
		: Number.isFinite(first.secondsLeft) ? `${first.name} runs out first, in ${format.duration(first.secondsLeft)}.`
			: (first.rate === null) ? "" : "No IDs are drawn from them at present.";
	write("bad", title, text, first.report.lastError);
	const news = failing.filter((key) => ["out", "low"].includes(key.state) && !announced.has(key.name + key.state));
	news.forEach((key) => announced.add(key.name + key.state));
	if (begins || news.length) {
		announce(`${title}. ${text} ${first.report.lastError}`);
	}
}

function names(keys) {
	return (keys.length <= 3) ? keys.map((key) => key.name).join(", ") : `${keys.slice(0, 2).map((key) => key.name).join(", ")} and ${format.count(keys.length - 2)} more keys`;
}

function next(failing) {
	const draining = failing.find((key) => key.state !== "out" && Number.isFinite(key.secondsLeft));
	return draining ? ` ${draining.name} is next, in ${format.duration(draining.secondsLeft)}.` : "";
}

function showWell() {
	const title = `New segments have been available again since ${format.time(wellSince)}, after ${format.duration(downtime)}`;
	write("good", title, "", "");
	announce(title);
}

function write(kind, ...texts) {
	alert.hidden = false;
	alert.dataset.kind = kind;
	[".title", ".text", ".cause"].forEach((part, i) => {
		const element = alert.querySelector(part);
		if (element.textContent !== texts[i]) {
			element.textContent = texts[i];
		}
	});
}
