// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

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
