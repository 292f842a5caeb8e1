// Figures as people read them.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", hourCycle: "h23" });

export const count = (number) => whole.format(number);

export const time = (millis) => clock.format(millis);

/** IDs per second; null where they are not known. */
export function rate(perSecond) {
	return (perSecond === null) ? "–" : (perSecond >= 10 || perSecond === 0) ? whole.format(perSecond) : tenths.format(Math.max(perSecond, 0.1));
}

export const perSecond = (number) => (number === null) ? "–" : `${rate(number)}/s`;

/** What a chart of rates shows, in words. */
export const rates = (now, steps) => (now === null) ? "not known yet" : `${rate(now)} now, at most ${rate(Math.max(now, ...steps))}`;

/** Numbers beyond 2^53 come as text. */
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
