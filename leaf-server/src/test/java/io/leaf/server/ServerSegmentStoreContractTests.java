// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.util.UUID;

import io.leaf.segment.SegmentStore;
import io.leaf.segment.SegmentStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Runs the contract of the store that takes segments from a Leaf server, with a server on
 * H2. The server never loads the keys, so every number comes from the table.
 */
class ServerSegmentStoreContractTests extends SegmentStoreContract {

	private static final String DATABASE = "jdbc:h2:mem:" + UUID.randomUUID();

	private static ConfigurableApplicationContext server;

	private SegmentStore store;

	@BeforeAll
	static void startServer() {
		server = RangeServers.start(DATABASE);
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

	@BeforeEach
	void emptyTable() {
		jdbc().update("DELETE FROM leaf_alloc");
		this.store = RangeServers.store(server);
	}

	@Override
	protected SegmentStore store() {
		return this.store;
	}

	@Override
	protected void put(String key, long maxId, long step) {
		jdbc().update("INSERT INTO leaf_alloc (biz_tag, max_id, step) VALUES (?, ?, ?)", key, maxId, step);
	}

	@Override
	protected void remove(String key) {
		jdbc().update("DELETE FROM leaf_alloc WHERE biz_tag = ?", key);
	}

	private static JdbcTemplate jdbc() {
		return RangeServers.jdbc(DATABASE);
	}

}
