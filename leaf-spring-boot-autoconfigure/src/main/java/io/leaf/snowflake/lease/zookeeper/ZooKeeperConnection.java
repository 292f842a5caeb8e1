// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.snowflake.lease.zookeeper.ZooKeeperRequests.Batches;
import io.leaf.support.DurationText;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.imps.DefaultACLProvider;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.quorum.flexible.QuorumVerifier;
import org.jspecify.annotations.Nullable;

/**
 * The connection to ZooKeeper, through a client of our own or through the application's
 * client. The application's client keeps its settings and is never closed.
 */
final class ZooKeeperConnection {

	// How long a request waits for a connection that was lost. If it fails, the next
	// attempt follows when the connection is back, or a report interval later.
	private static final Duration RECONNECT_TIMEOUT = Duration.ofSeconds(1);

	private final CuratorFramework client;

	private final boolean ownClient;

	private final Duration connectionTimeout;

	// the connect string, which holds no credentials
	private final String servers;

	private final ConnectionStateListener listener = this::changed;

	private final AtomicBoolean missed = new AtomicBoolean();

	private final Batches batches;

	private volatile Runnable back = () -> {
	};

	private ZooKeeperConnection(CuratorFramework client, String servers, boolean ownClient,
			Duration connectionTimeout) {
		this.client = client;
		this.ownClient = ownClient;
		this.connectionTimeout = connectionTimeout;
		// A server before ZooKeeper 3.6 closes the connection on a batch request. This
		// must not happen to the client of the application, which the application needs
		// for other requests.
		this.batches = new Batches(ownClient);
		this.servers = servers;
		client.getConnectionStateListenable().addListener(this.listener);
	}

	private void changed(CuratorFramework client, ConnectionState state) {
		if (!state.isConnected()) {
			this.missed.set(true);
		}
		else if (this.missed.compareAndSet(true, false)) {
			this.back.run();
		}
	}

	void whenBack(Runnable action) {
		this.back = action;
	}

	static ZooKeeperConnection through(CuratorFramework client) {
		return new ZooKeeperConnection(client, client.getZookeeperClient().getCurrentConnectionString(), false,
				Duration.ofMillis(client.getZookeeperClient().getConnectionTimeoutMs()));
	}

	// Creates a client of our own, but does not connect yet.
	static ZooKeeperConnection to(ZooKeeperSettings settings) {
		int sessionTimeout = Math.toIntExact(settings.sessionTimeout().toMillis());
		int connectionTimeout = Math.toIntExact(settings.connectionTimeout().toMillis());
		// A client whose connect string ends in a path cannot create that path. So the
		// path becomes Curator's namespace, which the client can create.
		String connectString = settings.connectString().strip();
		int slash = (connectString + "/").indexOf('/');
		String path = connectString.substring(slash).replaceAll("^/|/$", "");
		CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
			.connectString(connectString.substring(0, slash))
			.namespace(path.isEmpty() ? null : path)
			.sessionTimeoutMs(sessionTimeout)
			// Curator warns if its connection timeout is longer than the session timeout.
			// It need not be: open() itself waits for the configured time.
			.connectionTimeoutMs(Math.min(connectionTimeout, sessionTimeout))
			.retryPolicy(new RetryNTimes(0, 0))
			// connect to the servers that the property names, and to no others
			.ensembleTracker(false)
			.aclProvider(new DefaultACLProvider());
		String auth = settings.auth();
		if (auth != null) {
			builder.authorization("digest", auth.getBytes(StandardCharsets.UTF_8))
				.aclProvider(new CreatorOnly("/" + path));
		}
		return new ZooKeeperConnection(builder.build(), connectString, true, settings.connectionTimeout());
	}

	/**
	 * Returns the location of a path: the servers of the ensemble and the whole path
	 * there. The location does not depend on the order in which the connect string lists
	 * the servers. This method does not connect.
	 * @return the servers, sorted, and the whole path. {@code null} if the client does
	 * not know the servers yet, or if the ensemble has sent a list that replaced the
	 * servers of the connect string: a client without a connection does not get that
	 * list, and would have another location
	 */
	@Nullable String locationOf(String path) {
		String connectString = this.client.getZookeeperClient().getCurrentConnectionString();
		QuorumVerifier tracked = this.client.getCurrentConfig();
		boolean replaced = tracked != null && !tracked.getAllMembers().isEmpty();
		if (connectString == null || connectString.isBlank() || replaced) {
			return null;
		}
		int slash = connectString.indexOf('/');
		String servers = Arrays
			.stream(connectString.substring(0, (slash < 0) ? connectString.length() : slash).split(","))
			.map((server) -> server.strip().toLowerCase(Locale.ROOT))
			.map((server) -> server.matches(".*:\\d+") ? server : server + ":2181")
			.distinct()
			.sorted()
			.collect(Collectors.joining(","));
		String chroot = (slash < 0) ? "" : connectString.substring(slash).strip();
		return servers + "%s/%s%s".formatted(chroot, this.client.getNamespace(), path).replaceAll("/+", "/");
	}

	/**
	 * Connects, or waits until the owner of the client has connected.
	 * @throws WorkerLeaseStoreException if the client is not started or is closed, or if
	 * it does not connect within the connection timeout
	 */
	ZooKeeperRequests open() {
		if (this.ownClient && this.client.getState() == CuratorFrameworkState.LATENT) {
			this.client.start();
		}
		return requests(this.connectionTimeout);
	}

	ZooKeeperRequests requests() {
		return requests(RECONNECT_TIMEOUT);
	}

	private ZooKeeperRequests requests(Duration timeout) {
		if (this.client.getState() != CuratorFrameworkState.STARTED) {
			throw refusal("The connection to ZooKeeper is not open. %s".formatted(this.ownClient
					? "Once closed, it cannot be opened again" : "The application's CuratorFramework must be started"),
					null);
		}
		try {
			if (!this.client.blockUntilConnected(Math.toIntExact(timeout.toMillis()), TimeUnit.MILLISECONDS)) {
				this.missed.set(true);
				throw unreachable("no connection within %s".formatted(DurationText.of(timeout)), null);
			}
			return new ZooKeeperRequests(this, this.client, zooKeeper(), this.batches);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw unreachable("interrupted", ex);
		}
	}

	private ZooKeeper zooKeeper() {
		try {
			return this.client.getZookeeperClient().getZooKeeper();
		}
		catch (Exception ex) {
			throw unreachable(ex.toString(), ex);
		}
	}

	void close() {
		this.client.getConnectionStateListenable().removeListener(this.listener);
		if (this.ownClient && this.client.getState() == CuratorFrameworkState.STARTED) {
			this.client.close();
		}
	}

	/**
	 * Translates the failure of a request into an exception with advice for the user.
	 */
	WorkerLeaseStoreException translate(KeeperException failure) {
		Code code = failure.code();
		String node = (failure.getPath() != null) ? failure.getPath() : "its nodes";
		return switch (code) {
			case NOAUTH, AUTHFAILED, INVALIDACL, SESSIONCLOSEDREQUIRESASLAUTH -> refusal(
					"ZooKeeper at %s denied access to %s (%s). %s".formatted(this.servers, node, code, this.ownClient
							? "Set leaf.snowflake.zookeeper.auth to user:password of a user that may read, write, create and delete there"
							: "The application's CuratorFramework needs the credentials of a user that may read, write, create and delete there; or give Leaf a client of its own with leaf.snowflake.zookeeper.connect-string and leaf.snowflake.zookeeper.auth"),
					failure);
			case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT, SESSIONEXPIRED, SESSIONMOVED, NOTREADONLY ->
				unreachable(code.toString(), failure);
			case NOCHILDRENFOREPHEMERALS -> refusal(
					"ZooKeeper at %s cannot create %s (%s): its parent is an ephemeral node, which ends with the session that created it. Delete that node; a persistent one is created in its place"
						.formatted(this.servers, node, code),
					failure);
			default -> new WorkerLeaseStoreException(
					"ZooKeeper at %s failed to process a request for %s (%s)".formatted(this.servers, node, code),
					failure, false);
		};
	}

	WorkerLeaseStoreException unreachable(String reason, @Nullable Throwable cause) {
		return new WorkerLeaseStoreException(
				"Cannot reach ZooKeeper at %s (%s). Check that ZooKeeper is running, and that %s"
					.formatted(this.servers, reason, this.ownClient
							? "leaf.snowflake.zookeeper.connect-string is correct"
							: "the connect string of the application's CuratorFramework is correct; or give Leaf a client of its own with leaf.snowflake.zookeeper.connect-string"),
				cause, false);
	}

	/**
	 * Explains that the path at the end of the application's connect string does not
	 * exist.
	 */
	WorkerLeaseStoreException missingRoot(KeeperException failure) {
		return refusal(
				"The path %s, with which the connect string of the application's CuratorFramework ends, does not exist in ZooKeeper. Create the path, or remove it from the connect string"
					.formatted(this.servers.substring(Math.max(0, this.servers.indexOf('/')))),
				failure);
	}

	WorkerLeaseStoreException refusal(String message, @Nullable Throwable cause) {
		return new WorkerLeaseStoreException(message, cause, true);
	}

	/**
	 * Grants all rights on a node to its creator and none to others. The path in the
	 * connect string and its parents are open to all, because other applications may have
	 * nodes below them.
	 *
	 * @param shared the path in the connect string
	 */
	private record CreatorOnly(String shared) implements ACLProvider {

		private static final List<ACL> CREATOR_ALL = Collections
			.singletonList(new ACL(ZooDefs.Perms.ALL, new Id("auth", "")));

		@Override
		public List<ACL> getDefaultAcl() {
			return CREATOR_ALL;
		}

		@Override
		public List<ACL> getAclForPath(String path) {
			boolean above = path.equals(this.shared) || this.shared.startsWith(path + "/");
			return above ? ZooKeeperRequests.OPEN_TO_ALL : CREATOR_ALL;
		}

	}

}
