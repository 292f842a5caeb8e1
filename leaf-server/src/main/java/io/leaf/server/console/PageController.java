// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Serves the live page, whatever the browser says that it accepts.
 */
@RestController
class PageController {

	@GetMapping("/")
	ResponseEntity<Resource> page() {
		return ResponseEntity.ok()
			.contentType(MediaType.TEXT_HTML)
			.cacheControl(CacheControl.noStore())
			.body(new ClassPathResource("page/index.html"));
	}

}
