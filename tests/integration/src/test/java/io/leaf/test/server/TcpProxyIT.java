// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(120)
class TcpProxyIT {

	private final DatabaseServer server = Databases.mysql();

	private final String direct = this.server.createDatabase("proxied");

	@AutoClose
	private TcpProxy proxy;

	private String proxied;

	@BeforeEach
	void createTable() throws SQLException {
		this.proxy = TcpProxy.inFrontOf(this.direct);
		this.proxied = this.proxy.through(this.direct);
		execute("CREATE TABLE kept (id BIGINT PRIMARY KEY, text MEDIUMTEXT)");
	}

	@Test
	void forwardsEverything() throws SQLException {
		String text = "0123456789abcdef".repeat(20_000);
		try (Connection connection = this.server.connect(this.proxied);
				Statement statement = connection.createStatement()) {
			statement.executeUpdate("INSERT INTO kept VALUES (1, '" + text + "')");
			try (ResultSet rows = statement.executeQuery("SELECT text FROM kept")) {
				assertThat(rows.next()).isTrue();
				assertThat(rows.getString(1)).isEqualTo(text);
			}
		}
	}

	@Test
	void delaysEachDirection() throws SQLException {
		try (Connection connection = this.server.connect(this.proxied);
				Statement statement = connection.createStatement()) {
			this.proxy.latency(Duration.ofMillis(150));
			long begin = System.nanoTime();
			statement.executeUpdate("INSERT INTO kept VALUES (1, '')");
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
		}
		assertThat(count()).isEqualTo(1);
	}

	@Test
	void keepsTheOrderWhenTheLatencyFalls() throws IOException {
		try (ServerSocket target = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				TcpProxy toTarget = new TcpProxy("127.0.0.1", target.getLocalPort());
				Socket client = new Socket(InetAddress.getLoopbackAddress(), toTarget.port());
				Socket accepted = target.accept()) {
			toTarget.latency(Duration.ofMillis(200));
			client.getOutputStream().write('a');
			client.getOutputStream().flush();
			toTarget.latency(Duration.ZERO);
			client.getOutputStream().write('b');
			client.shutdownOutput();
			assertThat(accepted.getInputStream()).hasContent("ab");
		}
	}

	@Test
	void cutsConnectionsAndRefusesNewOnes() throws SQLException {
		try (Connection connection = this.server.connect(this.proxied)) {
			this.proxy.cut();
			assertThat(connection.isValid(5)).isFalse();
		}
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> this.server.connect(this.proxied));
		this.proxy.heal();
		assertWorks();
	}

	@Test
	void resetsConnectionsAndRefusesNewOnes() throws Exception {
		try (ServerSocket target = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				TcpProxy toTarget = new TcpProxy("127.0.0.1", target.getLocalPort());
				Socket client = new Socket(InetAddress.getLoopbackAddress(), toTarget.port());
				Socket accepted = target.accept()) {
			client.getOutputStream().write('a');
			assertThat(accepted.getInputStream().read()).isEqualTo('a');
			toTarget.reset();
			assertThatExceptionOfType(SocketException.class).isThrownBy(() -> client.getInputStream().read())
				.withMessageContaining("reset");
			assertThatExceptionOfType(SocketException.class).isThrownBy(() -> accepted.getInputStream().read())
				.withMessageContaining("reset");
			assertThatExceptionOfType(IOException.class)
				.isThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), toTarget.port()).close());
			toTarget.heal();
			new Socket(InetAddress.getLoopbackAddress(), toTarget.port()).close();
		}
	}

	@Test
	void holdsOneDirectionUntilHealed() throws IOException {
		try (ServerSocket target = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
				TcpProxy toTarget = new TcpProxy("127.0.0.1", target.getLocalPort());
				Socket client = new Socket(InetAddress.getLoopbackAddress(), toTarget.port());
				Socket accepted = target.accept()) {
			assertOneWay(toTarget, toTarget::holdRequests, client, accepted);
			assertOneWay(toTarget, toTarget::holdAnswers, accepted, client);
		}
	}

	private static void assertOneWay(TcpProxy proxy, Runnable hold, Socket held, Socket free) throws IOException {
		hold.run();
		held.getOutputStream().write('h');
		free.getOutputStream().write('f');
		assertThat(held.getInputStream().read()).isEqualTo('f');
		free.setSoTimeout(100);
		assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(() -> free.getInputStream().read());
		proxy.heal();
		free.setSoTimeout(60_000);
		assertThat(free.getInputStream().read()).isEqualTo('h');
	}

	@Test
	void blackholeHoldsEverythingUntilHealed() throws SQLException {
		String impatient = JdbcUrls.withTimeout(this.proxied, Duration.ofMillis(500));
		try (Connection connection = this.server.connect(impatient);
				Statement statement = connection.createStatement()) {
			this.proxy.blackhole();
			assertThatExceptionOfType(SQLException.class)
				.isThrownBy(() -> statement.executeUpdate("INSERT INTO kept VALUES (1, '')"));
		}
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> this.server.connect(impatient));
		assertThat(count()).isZero();
		this.proxy.heal();
		assertWorks();
	}

	@Test
	void dropsTheAnswerToACommitThatSucceeds() throws SQLException {
		try (Connection connection = this.server.connect(this.proxied);
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.executeUpdate("INSERT INTO kept VALUES (1, '')");
			this.proxy.dropAnswers();
			assertThatExceptionOfType(SQLException.class).isThrownBy(connection::commit);
		}
		assertThat(count()).isEqualTo(1);
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> this.server.connect(this.proxied));
		this.proxy.heal();
		assertWorks();
	}

	@Test
	void refusesConnectionsWhenTheServerIsDown() {
		try (TcpProxy toNowhere = new TcpProxy("127.0.0.1", ServerFiles.freePort())) {
			assertThatExceptionOfType(SQLException.class)
				.isThrownBy(() -> this.server.connect(toNowhere.through(this.direct)));
		}
	}

	private void assertWorks() throws SQLException {
		try (Connection connection = this.server.connect(this.proxied)) {
			assertThat(connection.isValid(30)).isTrue();
		}
	}

	private void execute(String sql) throws SQLException {
		try (Connection connection = this.server.connect(this.direct);
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private long count() throws SQLException {
		try (Connection connection = this.server.connect(this.direct);
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM kept")) {
			rows.next();
			return rows.getLong(1);
		}
	}

}
