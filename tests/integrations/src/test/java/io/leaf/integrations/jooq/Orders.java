// SPDX-License-Identifier: Apache-2.0

package io.leaf.integrations.jooq;

import org.jooq.TableField;
import org.jooq.UniqueKey;
import org.jooq.impl.DSL;
import org.jooq.impl.Internal;
import org.jooq.impl.SQLDataType;
import org.jooq.impl.TableImpl;

/**
 * The table, as jOOQ's code generator would write it.
 */
class Orders extends TableImpl<OrdersRecord> {

	private static final long serialVersionUID = 1;

	static final Orders ORDERS = new Orders();

	final TableField<OrdersRecord, Long> ID = createField(DSL.name("ID"), SQLDataType.BIGINT.nullable(false), this);

	final TableField<OrdersRecord, String> ITEM = createField(DSL.name("ITEM"), SQLDataType.VARCHAR(255), this);

	Orders() {
		super(DSL.name("ORDERS"));
	}

	@Override
	public Class<OrdersRecord> getRecordType() {
		return OrdersRecord.class;
	}

	@Override
	public UniqueKey<OrdersRecord> getPrimaryKey() {
		return Internal.createUniqueKey(this, DSL.name("PK"), this.ID);
	}

}
