// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.routing;

import java.util.List;

import io.leaf.IdGenerator;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Orders {

	private final JdbcClient sql;

	private final IdGenerator ids;

	Orders(JdbcClient sql, IdGenerator ids) {
		this.sql = sql;
		this.ids = ids;
	}

	@Transactional
	long place(String item) {
		long id = this.ids.nextId("order");
		this.sql.sql("INSERT INTO orders (id, item) VALUES (?, ?)").params(id, item).update();
		return id;
	}

	@Transactional(readOnly = true)
	List<String> items() {
		return this.sql.sql("SELECT item FROM orders ORDER BY id").query(String.class).list();
	}

	@Transactional(readOnly = true)
	long reserve() {
		items();
		return this.ids.nextId("order");
	}

}
