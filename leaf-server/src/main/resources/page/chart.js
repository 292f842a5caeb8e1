// Small charts of the last five minutes, drawn with Chart.js.

import { SPAN } from "./history.js";

const scheme = matchMedia("(prefers-color-scheme: dark)");
const charts = new Set();

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function options() {
	const tick = { color: color("--soft"), font: { size: 11 } };
	return {
		animation: false,
		responsive: true,
		maintainAspectRatio: false,
		interaction: { mode: "index", intersect: false },
		plugins: { legend: { display: false } },
		scales: {
			x: { stacked: true, grid: { display: false }, border: { color: color("--line") }, ticks: { ...tick, autoSkip: false, maxRotation: 0 } },
			y: { stacked: true, beginAtZero: true, suggestedMax: 1, grid: { color: color("--line") }, border: { display: false }, ticks: { ...tick, maxTicksLimit: 4, precision: 0 } }
		}
	};
}

function dataset(type, name, label) {
	const shade = color(name);
	return (type === "line")
		? { type, label, borderColor: shade, backgroundColor: shade + "33", fill: true, borderWidth: 2, pointRadius: 0, tension: 0.2, data: [], name }
		: { type, label, backgroundColor: shade, data: [], name };
}

/**
 * @param canvas the canvas to draw on
 * @param type "line" or "bar"
 * @param series for each line or kind of bar, the name of the color and the label
 */
export function chart(canvas, type, series) {
	const drawn = new Chart(canvas, { type, data: { labels: [], datasets: [] }, options: options() });
	const paint = () => {
		drawn.options = options();
		drawn.data.datasets = series.map(([name, label], i) => ({
			...dataset(type, name, label), data: drawn.data.datasets[i]?.data ?? []
		}));
		drawn.update();
	};
	paint();
	charts.add(paint);
	return {
		/** Shows the values of each series, the latest one last, with a description for screen readers. */
		show(values, words) {
			drawn.data.labels = labels(values[0].length);
			values.forEach((row, i) => drawn.data.datasets[i].data = row);
			drawn.update();
			canvas.setAttribute("aria-label", words);
		},
		remove() {
			charts.delete(paint);
			drawn.destroy();
		}
	};
}

function labels(length) {
	return Array.from({ length }, (_, i) => {
		const minutes = (length - 1 - i) * SPAN / length / 60_000;
		return (i === length - 1) ? "now" : Number.isInteger(minutes + 1e-9) || minutes % 1 < 1e-9 ? `−${Math.round(minutes)} min` : "";
	});
}

scheme.addEventListener("change", () => charts.forEach((paint) => paint()));
