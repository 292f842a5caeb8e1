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

import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Says of a failed request what to do about it.
 */
final class ZooKeeperFailures {

	private final String servers;

	private final boolean ownClient;

	/**
	 * Creates the explanations.
	 * @param servers the connect string, which holds no credentials
	 * @param ownClient whether the client was made from {@code leaf.snowflake.zookeeper}
	 */
	ZooKeeperFailures(String servers, boolean ownClient) {
		this.servers = servers;
		this.ownClient = ownClient;
	}

	WorkerLeaseStoreException translate(KeeperException failure) {
		Code code = failure.code();
		String node = (failure.getPath() != null) ? failure.getPath() : "its nodes";
		return switch (code) {
			case NOAUTH, AUTHFAILED, INVALIDACL, SESSIONCLOSEDREQUIRESASLAUTH -> refusal(
					"ZooKeeper at %s denied access to %s (%s). %s".formatted(this.servers, node, code, this.ownClient
							? "Set leaf.snowflake.zookeeper.auth to user:password of a user that may read, write, create and delete there"
							: "The application's CuratorFramework needs the credentials of a user that may read, write, create and delete there; or give Leaf a client of its own by leaf.snowflake.zookeeper.connect-string and .auth"),
					failure);
			case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT, SESSIONEXPIRED, SESSIONMOVED, NOTREADONLY ->
				unreachable(code.toString(), failure);
			case NOCHILDRENFOREPHEMERALS -> refusal(
					"ZooKeeper at %s cannot create %s (%s): the node above it goes with the session that made it. Delete that node; a lasting one is created in its place"
						.formatted(this.servers, node, code),
					failure);
			default -> new WorkerLeaseStoreException("ZooKeeper at %s could not do what it was asked for with %s (%s)"
				.formatted(this.servers, node, code), failure, false);
		};
	}

	/**
	 * Explains that there is no connection or no answer.
	 * @param reason which of them
	 */
	WorkerLeaseStoreException unreachable(String reason, @Nullable Throwable cause) {
		return new WorkerLeaseStoreException(
				"Cannot reach ZooKeeper at %s (%s). Check that ZooKeeper is running, and that %s"
					.formatted(this.servers, reason, this.ownClient
							? "leaf.snowflake.zookeeper.connect-string is correct"
							: "the connect string of the application's CuratorFramework is correct; or give Leaf a client of its own by leaf.snowflake.zookeeper.connect-string"),
				cause, false);
	}

	/**
	 * Explains that the path at the end of the application's connect string is not there.
	 */
	WorkerLeaseStoreException missingRoot(KeeperException failure) {
		return refusal(
				"The path %s, with which the connect string of the application's CuratorFramework ends, does not exist in ZooKeeper. Create the path, or leave it out"
					.formatted(this.servers.substring(Math.max(0, this.servers.indexOf('/')))),
				failure);
	}

	WorkerLeaseStoreException refusal(String message, @Nullable Throwable cause) {
		return new WorkerLeaseStoreException(message, cause, true);
	}

}
