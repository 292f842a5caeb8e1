// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.text;

import java.util.List;
import java.util.Optional;

import io.leaf.text.LeafText;
import org.jspecify.annotations.Nullable;

import org.springframework.format.annotation.NumberFormat;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * A controller that receives IDs as texts and returns their numbers.
 */
@RestController
class OrderController {

	@GetMapping("/path/{id}")
	String path(@PathVariable @LeafText("order") long id) {
		return "" + id;
	}

	@GetMapping("/parameter")
	String parameter(@RequestParam(required = false) @LeafText("order") @Nullable Long id) {
		return "" + id;
	}

	@GetMapping("/parameters")
	String parameters(@RequestParam @LeafText("order") List<Long> ids) {
		return "" + ids;
	}

	@GetMapping("/array")
	String array(@RequestParam @LeafText("order") Long[] ids) {
		return "" + List.of(ids);
	}

	@GetMapping("/optional")
	String optional(@RequestParam @LeafText("order") Optional<Long> id) {
		return "" + id;
	}

	@GetMapping("/header")
	String header(@RequestHeader("X-Order") @LeafText("order") long id) {
		return "" + id;
	}

	@GetMapping("/cookie")
	String cookie(@CookieValue("last") @LeafText("order") long id) {
		return "" + id;
	}

	@GetMapping("/record")
	String record(@ModelAttribute Search search) {
		return "" + search;
	}

	@GetMapping("/bean")
	String bean(@ModelAttribute SearchBean search) {
		return search.id + " " + search.ids;
	}

	@GetMapping("/plain/{id}")
	String plain(@PathVariable long id, @RequestParam @NumberFormat(pattern = "#,###") long number) {
		return id + " " + number;
	}

	@PostMapping("/body")
	Body body(@RequestBody Body body) {
		return new Body(body.id() + 1);
	}

	record Search(@LeafText("order") long id, @LeafText("order") @Nullable List<Long> ids) {
	}

	static class SearchBean {

		@LeafText("order")
		private long id;

		@LeafText("order")
		private @Nullable List<Long> ids;

		public long getId() {
			return this.id;
		}

		public void setId(long id) {
			this.id = id;
		}

		public @Nullable List<Long> getIds() {
			return this.ids;
		}

		public void setIds(List<Long> ids) {
			this.ids = ids;
		}

	}

	record Body(@LeafText("order") long id) {
	}

}
