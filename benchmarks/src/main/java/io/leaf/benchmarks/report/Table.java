// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.report;

import java.util.List;

/**
 * Figures as they stand on the page.
 *
 * @param name the name of the section they belong to, of lower-case letters and dashes
 * @param columns the headings
 * @param rows the cells, as many in each row as there are headings
 */
public record Table(String name, List<String> columns, List<List<String>> rows) {

}
