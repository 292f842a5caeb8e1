// The keys that are not in use. There may be any number of these keys, so the server searches them, and the page holds only those that it can show.

import { Key } from "./model.js";

/** Milliseconds after which the keys are requested again even if the number of rows is the same, because rows may have been replaced. */
const FRESH_FOR = 60_000;

let busy = false;
let foundFor = "";
let search = null;
let total = 0;

/**
 * Returns how many keys match, including keys in use, and the first unused keys that match, as far as the last response of the server shows.
 * Requests them again if the text, the number of rows or the number of keys in use has changed, and once per FRESH_FOR.
 * @param wanted the text to search for, in lower case
 * @param model the model, which holds the unused keys
 * @param onFound is called when the response has arrived, with true if the previous response was for another text
 */
export function findUnused(wanted, model, onFound) {
	request(wanted, model, onFound);
	const keys = [...model.unused.values()].filter((key) => !model.keys?.has(key.name) && key.name.toLowerCase().includes(wanted));
	keys.forEach((key) => key.measure(model.time, model.since));
	return { total: (wanted === "") ? model.total : (wanted === search) ? total : 0, keys };
}

async function request(wanted, model, onFound) {
	const wantedFor = JSON.stringify([wanted, model.total, model.keys?.size, Math.floor(model.time / FRESH_FOR)]);
	if (busy || !model.keys || wantedFor === foundFor) {
		return;
	}
	busy = true;
	const anew = wanted !== search;
	try {
		const response = await fetch(`keys?search=${encodeURIComponent(wanted)}`);
		if (!response.ok) {
			return;
		}
		take(await response.json(), model);
		foundFor = wantedFor;
		search = wanted;
	}
	catch {
		// not shown here, because the page shows that the connection is lost. The next report causes another request
		return;
	}
	finally {
		busy = false;
	}
	onFound(anew);
}

function take(found, model) {
	total = found.total;
	model.unused = new Map(Object.entries(found.keys).map(([name, report]) => {
		const key = model.unused.get(name) ?? new Key(name);
		key.update(report, model.time);
		return [name, key];
	}));
}
