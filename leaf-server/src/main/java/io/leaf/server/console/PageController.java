// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import io.leaf.actuate.LeafEndpoint;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * Serves the live page and its data. The page is sent regardless of the header Accept.
 * The data is a stream of events. The first event contains the whole report on the keys
 * in use, for which numbers have been requested from the store. After that, one event per
 * second contains the changes. Other keys rarely change, so they are sent only on
 * request.
 */
@RestController
class PageController {

	private static final Long NO_TIMEOUT = 0L;

	/**
	 * The maximum number of keys in a response to a search for keys that are not in use.
	 */
	private static final int ROWS = 50;

	private final ReportStream stream;

	private final LeafEndpoint endpoint;

	PageController(ReportStream stream, LeafEndpoint endpoint) {
		this.stream = stream;
		this.endpoint = endpoint;
	}

	@GetMapping("/")
	ResponseEntity<Resource> page() {
		return ResponseEntity.ok()
			.contentType(MediaType.TEXT_HTML)
			.cacheControl(CacheControl.noStore())
			.body(new ClassPathResource("page/index.html"));
	}

	@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	SseEmitter events(HttpServletResponse response) {
		SseEmitter emitter = new SseEmitter(NO_TIMEOUT);
		Viewer viewer = new Viewer(new EmitterConnection(emitter));
		this.stream.join(viewer);
		Runnable leave = () -> this.stream.leave(viewer);
		emitter.onCompletion(leave);
		emitter.onError((ex) -> leave.run());
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		return emitter;
	}

	@GetMapping(path = "/keys", produces = MediaType.APPLICATION_JSON_VALUE)
	ResponseEntity<byte[]> unusedKeys(@RequestParam(defaultValue = "") String search) {
		String found = ReportJson.found(this.endpoint.unusedKeys(search, ROWS));
		return ResponseEntity.ok()
			.contentType(MediaType.APPLICATION_JSON)
			.cacheControl(CacheControl.noStore())
			.body(found.getBytes(StandardCharsets.UTF_8));
	}

	@ExceptionHandler
	ProblemDetail refuse(ReportStream.ViewerRefusedException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, ex.getMessage());
	}

	private record EmitterConnection(SseEmitter emitter) implements Viewer.Connection {

		@Override
		public void send(String event) throws IOException {
			this.emitter.send(SseEmitter.event().data(event));
		}

		@Override
		public void end() {
			this.emitter.complete();
		}

	}

}
