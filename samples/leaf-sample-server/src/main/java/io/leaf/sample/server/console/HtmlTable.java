/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.sample.server.console;

import org.springframework.web.util.HtmlUtils;

/**
 * A page with one table.
 */
final class HtmlTable {

	private final StringBuilder html = new StringBuilder(
			"<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Leaf</title></head><body><table><thead>");

	HtmlTable(Object... names) {
		line("th", names);
		this.html.append("</thead><tbody>");
	}

	void row(Object... values) {
		line("td", values);
	}

	private void line(String tag, Object... values) {
		this.html.append("<tr>");
		for (Object value : values) {
			this.html.append('<').append(tag).append('>');
			this.html.append(HtmlUtils.htmlEscape(String.valueOf(value)));
			this.html.append("</").append(tag).append('>');
		}
		this.html.append("</tr>\n");
	}

	@Override
	public String toString() {
		return this.html + "</tbody></table></body></html>\n";
	}

}
