// The live page, which passes each report to the modules that show its parts.

import { announce, showAlerts } from "./alerts.js";
import { showClients } from "./clients.js";
import "./decode.js";
import { watch } from "./events.js";
import * as format from "./format.js";
import { showKeys } from "./keys.js";
import { Model } from "./model.js";
import { showSnowflake } from "./snowflake.js";
import { showSummary } from "./summary.js";

const model = new Model();
const connection = document.getElementById("connection");
let lostSince = null;

function showReport(event) {
	model.apply(event);
	document.getElementById("name").textContent = model.name;
	showAlerts(model);
	showSummary(model);
	showKeys(model);
	showSnowflake(model);
	showClients(model);
}

function showState(state, reason) {
	if (state === "live") {
		if (lostSince !== null) {
			announce("Connected again");
		}
		lostSince = null;
		connection.textContent = "Live";
	}
	else {
		if (lostSince === null) {
			announce("The connection to the server is lost");
		}
		lostSince ??= Date.now();
		const old = model.time ? ` The figures are from ${format.time(model.time)}.` : "";
		connection.textContent = `Connection lost since ${format.time(lostSince)}, trying again.${old} ${reason}`.trim();
	}
	connection.dataset.state = state;
}

watch("events", showReport, showState);
