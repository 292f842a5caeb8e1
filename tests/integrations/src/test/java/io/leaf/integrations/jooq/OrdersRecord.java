// SPDX-License-Identifier: Apache-2.0

package io.leaf.integrations.jooq;

import org.jooq.impl.UpdatableRecordImpl;

/**
 * A row of the table, as jOOQ's code generator would write it.
 */
class OrdersRecord extends UpdatableRecordImpl<OrdersRecord> {

	private static final long serialVersionUID = 1;

	OrdersRecord() {
		super(Orders.ORDERS);
	}

	Long getId() {
		return get(Orders.ORDERS.ID);
	}

	void setId(Long id) {
		set(Orders.ORDERS.ID, id);
	}

	void setItem(String item) {
		set(Orders.ORDERS.ITEM, item);
	}

}
