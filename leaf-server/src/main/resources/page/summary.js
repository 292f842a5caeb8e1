// The figures at the top of the page.

import * as format from "./format.js";

const write = (id, text) => document.getElementById(id).textContent = text;

export function showSummary(model) {
	const keys = [...model.keys?.values() ?? []];
	const used = keys.filter((key) => key.report.fetches > 0);
	const failing = keys.filter((key) => key.failing);
	write("total-rate", format.rate(model.rate));
	write("total-keys", model.keys ? `${format.count(used.length)} of ${format.count(model.total)}` : "–");
	const first = keys.reduce((least, key) => (least && least.secondsLeft <= key.secondsLeft) ? least : key, null);
	write("total-first", (first && Number.isFinite(first.secondsLeft)) ? `${first.name}, ${format.duration(first.secondsLeft)}` : "–");
	write("total-failing", model.keys ? format.count(failing.length) : "–");
	document.getElementById("total-failing").classList.toggle("bad", failing.length > 0);
}
