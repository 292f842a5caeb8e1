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
