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

package io.leaf.snowflake.lease.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.snowflake.lease.zookeeper.Requests.Node;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * Creates what is missing of the tree, and sees to it that all processes have the same
 * layout.
 */
final class TreeSetup {

	private final TreePaths paths;

	private final ZooKeeperFailures failures;

	private String layout = "";

	TreeSetup(TreePaths paths, ZooKeeperFailures failures) {
		this.paths = paths;
		this.failures = failures;
	}

	/**
	 * Sets the layout of the process.
	 */
	void layout(SnowflakeLayout layout) {
		this.layout = layout.toString();
	}

	/**
	 * Prepares the tree. What exists is left as it is. If all does, which is so for all
	 * starts but the first, this is one request.
	 * @throws WorkerLeaseStoreException if another layout is recorded
	 */
	void prepare(Requests requests) throws KeeperException {
		List<String> folders = this.paths.folders();
		List<Op> reads = new ArrayList<>();
		// to look first saves asking for the right to create what exists
		folders.forEach((folder) -> reads.add(requests.data(folder)));
		reads.add(requests.data(this.paths.layout()));
		List<OpResult> found = requests.read(reads);
		for (int i = 0; i < folders.size(); i++) {
			if (Requests.node(found.get(i)) == null) {
				create(requests, folders.get(i), new byte[0]);
			}
		}
		Node recorded = Requests.node(found.get(folders.size()));
		if (recorded == null) {
			create(requests, this.paths.layout(), this.layout.getBytes(StandardCharsets.UTF_8));
			// ours, or that of a process that was faster
			requests.await(requests.sync(this.paths.layout()));
			recorded = requests.await(requests.node(this.paths.layout())).orElse(null);
		}
		if (recorded != null) {
			compare(this.layout, new String(recorded.content(), StandardCharsets.UTF_8));
		}
	}

	private void create(Requests requests, String path, byte[] content) throws KeeperException {
		try {
			requests.await(requests.transaction(requests.create(path, CreateMode.PERSISTENT, content)));
		}
		catch (KeeperException ex) {
			if (ex.code() == Code.NONODE && path.equals(TreePaths.BASE)) {
				throw this.failures.missingRoot(ex);
			}
			// somebody was faster
			if (ex.code() != Code.NODEEXISTS) {
				throw ex;
			}
		}
	}

	private void compare(String own, String recorded) {
		if (!recorded.equals(own)) {
			throw this.failures.refusal(
					"The layout of this process is %s, but that of leaf.name=%s is %s, as ZooKeeper node %s says. IDs of both could be equal. Set leaf.snowflake.layout.* as the other processes have it, or choose another leaf.name. Only if the node holds no layout at all, and no process has another one than this: write this one's into it"
						.formatted(own, this.paths.name(), Oddities.quote(recorded), this.paths.layout()),
					null);
		}
	}

}
