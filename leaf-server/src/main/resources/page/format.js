// Figures in a readable format.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });

export const count = (number) => whole.format(number);

export const time = (millis) => clock.format(millis);

/** Formats IDs per second; null stands for an unknown rate. */
export function rate(perSecond) {
	return (perSecond === null) ? "–" : (perSecond >= 10 || perSecond === 0) ? whole.format(perSecond) : tenths.format(Math.max(perSecond, 0.1));
}

export const perSecond = (number) => (number === null) ? "–" : `${rate(number)}/s`;

/** Describes a chart of rates in words. */
export const rates = (now, steps) => (now === null) ? "not known yet" : `${rate(now)} now, at most ${rate(Math.max(now, ...steps))}`;

/** Formats a number that the server sends as text because it may exceed 2^53. */
export const bigNumber = (text) => whole.format(BigInt(text));

export function duration(seconds) {
	if (!Number.isFinite(seconds)) {
		return "–";
	}
	if (seconds < 1) {
		return "0 s";
	}
	for (const [unit, length, limit] of [["s", 1, 120], ["min", 60, 120], ["h", 3600, 48]]) {
		if (seconds < limit * length) {
			return `${Math.floor(seconds / length)} ${unit}`;
		}
	}
	return `${whole.format(Math.floor(seconds / 86400))} days`;
}

export const plural = (number, one, many) => `${whole.format(number)} ${number === 1 ? one : many}`;
