// Snowflake mode.

import { chart } from "./chart.js";
import * as format from "./format.js";
import { intervals } from "./history.js";

const DAY = 86_400_000;

const section = document.getElementById("snowflake");
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
let rates;

const write = (id, text) => document.getElementById(id).textContent = text;

export function showSnowflake(model) {
	const report = model.snowflake;
	section.querySelector(".empty").textContent = report ? "" : "Snowflake mode is not enabled on this server. Set leaf.snowflake.enabled=true.";
	section.querySelector(".figures").hidden = !report;
	if (!report) {
		return;
	}
	const left = report.horizon ? (Date.parse(report.horizon) - model.time) / 1000 : 0;
	write("workers", report.workerIds.length ? `${report.workerIds.join(", ")} (${report.source})` : `none (${report.source})`);
	write("horizon", left > 0 ? `${format.time(Date.parse(report.horizon))}, in ${format.duration(left)}` : "none");
	write("snowflake-rate", format.perSecond(model.snowflakeRate));
	write("lead", `${format.count(report.leadMillis)} ms`);
	write("offset", `${format.count(report.clockOffsetMillis)} ms`);
	const end = Date.parse(report.layout.exhaustedAt);
	write("days", `${format.count(Math.max(0, Math.floor((end - model.time) / DAY)))} (${day.format(end)})`);
	showLayout(report.layout);
	showError(report, left);
	showRate(model);
}

function showLayout({ timestampBits, workerBits, sequenceBits, unit, epoch }) {
	[["time", timestampBits], ["worker", workerBits], ["sequence", sequenceBits]].forEach(([name, bits]) => {
		const part = document.querySelector(`#layout .${name}`);
		part.style.flexGrow = bits;
		part.textContent = bits;
	});
	write("layout-text", `${timestampBits} bits of time in ${unit} since ${day.format(Date.parse(epoch))}, ${workerBits} of worker ID, ${sequenceBits} of sequence`);
}

function showError({ lastError, stateFileError }, left) {
	const text = [
		(left <= 0) ? "No worker ID is held: no snowflake ID can be issued." : "",
		lastError ? `The lease is not renewed: ${lastError}` : "",
		stateFileError ? `After a restart while the store is unavailable, this process would issue no IDs: ${stateFileError}` : ""
	].filter(Boolean).join(" ");
	const error = document.getElementById("snowflake-error");
	error.hidden = !text;
	error.textContent = text;
}

function showRate({ snowflakeHistory, snowflakeRate, time, since }) {
	rates ??= chart(document.getElementById("snowflake-chart"), "line", [["--accent", "IDs per second"]]);
	const steps = snowflakeHistory.steps("issued", intervals(time, 5_000), since)
		.map((step) => step === null ? null : step / 5);
	rates.show([steps], `Snowflake IDs per second in the last five minutes: ${format.rates(snowflakeRate, steps)}`);
}
