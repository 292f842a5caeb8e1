// The list of keys, which has at most MAX_ROWS rows for any number of keys.

import * as format from "./format.js";
import { KeyRow } from "./keyrow.js";
import { findUnused } from "./unused.js";

const MAX_ROWS = 50;

/** Milliseconds for which rows keep their positions. */
const ORDER_FOR = 5_000;

/** Milliseconds for which rows keep their positions after the user has interacted with the list. */
const REST_FOR = 15_000;

const ORDERS = {
	rate: (a, b) => (b.rate ?? 0) - (a.rate ?? 0),
	left: (a, b) => (a.secondsLeft === b.secondsLeft) ? 0 : a.secondsLeft - b.secondsLeft,
	name: () => 0
};

const section = document.getElementById("keys");
const list = document.getElementById("list");
const search = document.getElementById("search");
const sort = document.getElementById("sort");

const rows = new Map();
let model;
let shown = [];
let ordered = 0;
let failing = 0;
let touched = 0;

export function showKeys(reported) {
	model = reported;
	const some = model.total > 0;
	section.querySelector(".empty").textContent = some ? "" : model.keys
		? "There is no key yet. Insert a row into the table, or set leaf.segment.auto-create.enabled: then the first request for an ID adds the row."
		: "Segment mode is not enabled on this server. Set leaf.segment.datasource.url, and do not set leaf.segment.enabled=false.";
	document.getElementById("narrow").hidden = !some;
	section.querySelector(".columns").hidden = !some;
	show(model.time - ordered >= ORDER_FOR && Date.now() - touched >= REST_FOR);
}

/**
 * Shows the keys. The rows are chosen and sorted again if "anew" is true, if the number of failing keys has changed, or if there is space
 * for further rows. Otherwise, the rows keep their positions.
 */
function show(anew) {
	const wanted = search.value.trim().toLowerCase();
	const found = findUnused(wanted, model, show);
	const matching = [...model.keys?.values() ?? []].filter((key) => key.name.toLowerCase().includes(wanted)).concat(found.keys);
	const total = Math.max(found.total, matching.length);
	const nowFailing = matching.filter((key) => key.failing).length;
	const present = new Set(matching);
	const stay = shown.filter((key) => present.has(key));
	if (anew || nowFailing !== failing || stay.length < Math.min(MAX_ROWS, matching.length)) {
		const order = ORDERS[sort.value];
		matching.sort((a, b) => (b.failing - a.failing) || (a.failing ? ORDERS.left(a, b) : order(a, b)) || compare(a.name, b.name));
		shown = matching.slice(0, MAX_ROWS);
		ordered = model.time;
		failing = nowFailing;
	}
	else {
		shown = stay;
	}
	draw();
	const text = (shown.length < total)
		? `Showing ${shown.length} of ${format.count(total)} keys${wanted ? " that match" : ""}`
		: wanted ? `${format.plural(total, "key matches", "keys match")}` : format.plural(total, "key", "keys");
	const status = document.getElementById("shown");
	if (status.textContent !== text) {
		status.textContent = text;
	}
}

function compare(a, b) {
	return (a < b) ? -1 : (a > b) ? 1 : 0;
}

function draw() {
	const keys = new Set(shown);
	rows.forEach((row, name) => {
		if (!keys.has(row.key)) {
			row.view.remove();
			row.view.element.remove();
			rows.delete(name);
		}
	});
	shown.forEach((key, i) => {
		if (!rows.has(key.name)) {
			rows.set(key.name, { key, view: new KeyRow(key) });
		}
		const { view } = rows.get(key.name);
		if (list.children[i] !== view.element) {
			place(view.element, list.children[i] ?? null);
		}
		view.show(model.time, model.since);
	});
}

/** Moves an element within the document. The move takes the focus away from the element, so the focus is restored. */
function place(element, before) {
	const focused = element.contains(document.activeElement) ? document.activeElement : null;
	list.insertBefore(element, before);
	focused?.focus({ preventScroll: true });
}

for (const type of ["pointermove", "pointerdown", "keydown", "focusin"]) {
	list.addEventListener(type, () => touched = Date.now());
}
search.addEventListener("input", () => show(true));
sort.addEventListener("change", () => show(true));
document.getElementById("narrow").addEventListener("submit", (event) => event.preventDefault());
