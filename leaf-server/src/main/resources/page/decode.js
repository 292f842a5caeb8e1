// The decoder of IDs. The server decodes them, because it knows the layout.

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
			sentence(`${answer.errorMsg ?? answer.detail ?? `The server responds with status ${response.status}`}.`);
			return;
		}
		show(id, answer);
	}
	catch {
		sentence("The server does not respond. Try again when this page shows that it is live.");
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
		return "This time is in the future: the ID may have another layout.";
	}
	return (millis < Date.now() - 10 * YEAR) ? "This time is far in the past: the number may be a segment ID, or have another layout." : "";
}

function local(time) {
	const zone = new Intl.DateTimeFormat("en", { timeZoneName: "longOffset" }).formatToParts(time)
		.find((part) => part.type === "timeZoneName").value;
	const two = (number, length = 2) => String(number).padStart(length, "0");
	return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}.${two(time.getMilliseconds(), 3)} (${zone})`;
}
