// The box that reads an ID. The server knows the layout.

const form = document.querySelector("#decode form");
const input = document.getElementById("id");
const result = document.getElementById("decoded");

const YEAR = 365 * 86_400_000;

form.addEventListener("submit", async (event) => {
	event.preventDefault();
	const id = input.value.trim();
	if (!id) {
		sentence("Type or paste an ID first.");
		return;
	}
	try {
		const response = await fetch(`decodeSnowflakeId?snowflakeId=${encodeURIComponent(id)}`);
		const answer = await response.json();
		if (!response.ok || answer.errorMsg) {
			sentence(`${answer.errorMsg ?? answer.detail ?? `The server answers with status ${response.status}`}.`);
			return;
		}
		show(id, answer);
	}
	catch {
		sentence("The server does not answer. Try again once this page says that it is live.");
	}
});

function sentence(text) {
	const paragraph = document.createElement("p");
	paragraph.className = "error";
	paragraph.textContent = text;
	result.replaceChildren(paragraph);
	input.setAttribute("aria-invalid", "true");
}

function show(id, { timestamp, workerId, sequenceId }) {
	input.removeAttribute("aria-invalid");
	const millis = Number.parseInt(timestamp, 10);
	const time = new Date(millis);
	const list = document.createElement("dl");
	for (const [name, value] of [["ID", id], ["Your time", local(time)], ["UTC", time.toISOString()],
			["Worker ID", workerId], ["Sequence", sequenceId]]) {
		const pair = document.createElement("div");
		pair.append(document.createElement("dt"), document.createElement("dd"));
		pair.firstChild.textContent = name;
		pair.lastChild.textContent = value;
		list.append(pair);
	}
	result.replaceChildren(list);
	const doubt = doubts(millis);
	if (doubt) {
		const note = document.createElement("p");
		note.textContent = doubt;
		result.append(note);
	}
}

function doubts(millis) {
	if (millis > Date.now() + 86_400_000) {
		return "This time is yet to come: the ID may be of another layout.";
	}
	return (millis < Date.now() - 10 * YEAR) ? "This time is long past: the number may be from a segment, or of another layout." : "";
}

function local(time) {
	const zone = new Intl.DateTimeFormat("en", { timeZoneName: "longOffset" }).formatToParts(time)
		.find((part) => part.type === "timeZoneName").value;
	const two = (number, length = 2) => String(number).padStart(length, "0");
	return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${two(time.getMilliseconds(), 3)} (${zone})`;
}
