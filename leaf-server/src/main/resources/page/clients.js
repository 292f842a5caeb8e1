// The clients that take ranges and lease worker IDs from this server.

import * as format from "./format.js";

const section = document.getElementById("clients");
const ranges = document.getElementById("client-ranges");
const leases = document.getElementById("client-leases");

export function showClients({ clients }) {
	section.hidden = clients.rangesInAll + clients.leasesInAll === 0;
	fill(ranges, clients.rangesInAll, clients.ranges.map(({ client, key, ranges, numbers }) =>
		[client, key, format.count(ranges), format.bigNumber(numbers)]));
	fill(leases, clients.leasesInAll, clients.leases.map(({ client, name, workerId, host, horizon }) =>
		[client, `${name} ${workerId}`, host, format.time(Date.parse(horizon))]));
}

function fill(part, all, rows) {
	part.hidden = rows.length === 0;
	const body = part.querySelector("tbody");
	while (body.rows.length > rows.length) {
		body.deleteRow(-1);
	}
	rows.forEach((cells, i) => {
		const row = body.rows[i] ?? body.insertRow();
		cells.forEach((text, j) => {
			const cell = row.cells[j] ?? row.insertCell();
			if (cell.textContent !== text) {
				cell.textContent = text;
			}
		});
	});
	part.querySelector(".more").textContent = (rows.length < all) ? `Showing ${rows.length} of ${format.count(all)}` : "";
}
