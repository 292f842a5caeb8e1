// The figures at the top.

import * as format from "./format.js";

const write = (id, text) => document.getElementById(id).textContent = text;

export function showSummary(model) {
	const keys = [...model.keys?.values() ?? []];
	const busy = keys.filter((key) => key.rate > 0);
	const failing = keys.filter((key) => key.failing);
	write("total-rate", format.rate(busy.reduce((sum, key) => sum + key.rate, model.snowflakeRate ?? 0)));
	write("total-keys", model.keys ? `${format.count(busy.length)} of ${format.count(keys.length)}` : "–");
	const first = busy.concat(failing).reduce((least, key) => (least && least.secondsLeft <= key.secondsLeft) ? least : key, null);
	write("total-first", (first && Number.isFinite(first.secondsLeft)) ? `${first.name}, ${format.duration(first.secondsLeft)}` : "–");
	write("total-failing", model.keys ? format.count(failing.length) : "–");
	document.getElementById("total-failing").classList.toggle("bad", failing.length > 0);
}
