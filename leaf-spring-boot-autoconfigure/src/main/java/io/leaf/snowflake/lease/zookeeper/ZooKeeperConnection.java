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
 * The connection to ZooKeeper, through either Leaf's own client or the application's
 * client. The settings of the application's client are not changed, and the application's
 * client is never closed.
 */
final class ZooKeeperConnection {

	// How long a request waits for a lost connection to be restored. If the request of a
	// renewal fails, the next renewal follows when the connection has been restored, or
	// after leaf.snowflake.report-interval, whichever is earlier.
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
		// Servers before ZooKeeper 3.6 close the connection when they receive a batch of
		// reads. The application also uses the connection of its client, so Leaf sends no
		// batches through that client.
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

	// Creates Leaf's own client, but does not connect yet.
	static ZooKeeperConnection to(ZooKeeperSettings settings) {
		int sessionTimeout = Math.toIntExact(settings.sessionTimeout().toMillis());
		int connectionTimeout = Math.toIntExact(settings.connectionTimeout().toMillis());
		// A client whose connect string ends with a path cannot create that path. The
		// path is therefore used as Curator's namespace, which the client can create.
		String connectString = settings.connectString().strip();
		int slash = (connectString + "/").indexOf('/');
		String path = connectString.substring(slash).replaceAll("^/|/$", "");
		CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
			.connectString(connectString.substring(0, slash))
			.namespace(path.isEmpty() ? null : path)
			.sessionTimeoutMs(sessionTimeout)
			// Curator logs a warning if its connection timeout is longer than the session
			// timeout. The shorter of the two is sufficient, because open() itself waits
			// for the configured connection timeout.
			.connectionTimeoutMs(Math.min(connectionTimeout, sessionTimeout))
			.retryPolicy(new RetryNTimes(0, 0))
			// uses only the servers of the connect string, even if the configuration of
			// the ensemble contains other servers
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
	 * Returns the location of a path: the servers of the ensemble and the full path on
	 * these servers. The location does not depend on the order in which the connect
	 * string lists the servers. This method does not connect.
	 * @return the sorted servers and the full path. The result is {@code null} if the
	 * client does not know the servers yet, or if the client has connected and has
	 * replaced the connect string with the list of servers from the ensemble. If that
	 * list were used, the location could change when the client connects, because the
	 * list can differ from the connect string
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
	 * Connects Leaf's own client, or waits until the application's client is connected.
	 * @throws WorkerLeaseStoreException if the client has not been started or has been
	 * closed, or if the client does not connect within the connection timeout
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
			throw refusal("The connection to ZooKeeper is not open. %s"
				.formatted(this.ownClient ? "A closed connection cannot be opened again"
						: "The application's CuratorFramework must be started"),
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
							? "Set leaf.snowflake.zookeeper.auth to user:password of a user that may read, write, create and delete nodes there"
							: "Give the application's CuratorFramework the credentials of a user that may read, write, create and delete nodes there, or set leaf.snowflake.zookeeper.connect-string and leaf.snowflake.zookeeper.auth, so that Leaf uses its own client"),
					failure);
			case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT, SESSIONEXPIRED, SESSIONMOVED, NOTREADONLY ->
				unreachable(code.toString(), failure);
			case NOCHILDRENFOREPHEMERALS -> refusal(
					"ZooKeeper at %s cannot create %s (%s), because its parent is an ephemeral node, which cannot have child nodes. Delete the ephemeral node, so that Leaf can create a persistent node in its place"
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
							: "the connect string of the application's CuratorFramework is correct, or set leaf.snowflake.zookeeper.connect-string, so that Leaf uses its own client"),
				cause, false);
	}

	/**
	 * Returns an exception that explains that the path at the end of the connect string
	 * does not exist.
	 */
	WorkerLeaseStoreException missingRoot(KeeperException failure) {
		return refusal(
				"The path %s at the end of the connect string %s does not exist in ZooKeeper. Create the path, or remove it from the connect string"
					.formatted(this.servers.substring(Math.max(0, this.servers.indexOf('/'))), this.ownClient
							? "in leaf.snowflake.zookeeper.connect-string" : "of the application's CuratorFramework"),
				failure);
	}

	WorkerLeaseStoreException refusal(String message, @Nullable Throwable cause) {
		return new WorkerLeaseStoreException(message, cause, true);
	}

	/**
	 * Grants all rights on a node to the creator of the node, and none to others.
	 * However, every node of the path in the connect string is open to everyone, because
	 * other applications may have nodes below that path.
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
