// The connection to the server. It is opened again until it stays.

/** A server that reports every second and says nothing for so many milliseconds has gone. */
const SILENCE = 6_000;

const RETRY = 2_000;

/**
 * @param url where the events come from
 * @param onReport is told each report
 * @param onState is told "live", or "lost" with the reason where the server gave one
 */
export function watch(url, onReport, onState) {
	let source;
	let watchdog;

	function open() {
		let answered = false;
		source = new EventSource(url);
		source.onmessage = (message) => {
			answered = true;
			guard();
			onState("live");
			onReport(JSON.parse(message.data));
		};
		source.onerror = () => lost(!answered);
		guard();
	}

	function guard() {
		clearTimeout(watchdog);
		watchdog = setTimeout(() => lost(false), SILENCE);
	}

	async function lost(refused) {
		source.close();
		clearTimeout(watchdog);
		onState("lost", refused ? await reason(url) : "");
		setTimeout(open, RETRY);
	}

	open();
}

/** An EventSource does not tell what it was answered. */
async function reason(url) {
	const request = new AbortController();
	try {
		const response = await fetch(url, { signal: request.signal });
		return response.ok ? "" : (await response.json()).detail ?? "";
	}
	catch {
		return "";
	}
	finally {
		request.abort();
	}
}
