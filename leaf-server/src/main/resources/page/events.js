// The connection to the server. If the connection is lost, it is opened again.

/** Milliseconds without an event after which the connection is considered lost. The server sends an event every second. */
const SILENCE = 6_000;

const RETRY = 2_000;

/**
 * @param url the URL of the events
 * @param onReport is called with each report
 * @param onState is called with "live", or with "lost" and the reason, which is empty if the server gave none
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

/** Requests the events again to read why the server refused the request, because an EventSource does not reveal the response. */
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
