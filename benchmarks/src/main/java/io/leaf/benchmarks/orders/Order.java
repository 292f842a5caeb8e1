// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.orders;

import java.time.Instant;

import jakarta.persistence.MappedSuperclass;
import org.jspecify.annotations.Nullable;

/**
 * An order. Each source of IDs has its own table with these columns and the ID.
 */
@MappedSuperclass
abstract class Order {

	private String item = "Espresso cups, set of six";

	private int quantity = 1;

	private Instant created = Instant.now();

	/**
	 * Returns the ID, which is set when the order has been persisted.
	 */
	abstract @Nullable Object id();

}
