// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.orders;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;

import javax.net.SocketFactory;

import com.mysql.cj.conf.PropertySet;
import com.mysql.cj.protocol.StandardSocketFactory;

/**
 * Counts the round trips of the drivers of MySQL and PostgreSQL at their sockets. A round
 * trip is the first read after one or more writes. It is counted once, regardless of the
 * number of statements that are sent together and of the length of the response.
 */
final class RoundTrips {

	private static final LongAdder COUNT = new LongAdder();

	private RoundTrips() {
	}

	/**
	 * Returns the number of round trips on all counted connections since the JVM started.
	 */
	static long count() {
		return COUNT.sum();
	}

	/**
	 * The sockets of MySQL's driver, which requires a public class.
	 */
	public static final class MySqlSockets extends StandardSocketFactory {

		@Override
		protected Socket createSocket(PropertySet properties) {
			return new CountedSocket();
		}

	}

	/**
	 * The sockets of PostgreSQL's driver, which requires a public class and connects them
	 * itself.
	 */
	public static final class PostgreSqlSockets extends SocketFactory {

		@Override
		public Socket createSocket() {
			return new CountedSocket();
		}

		@Override
		public Socket createSocket(String host, int port) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Socket createSocket(InetAddress host, int port) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
			throw new UnsupportedOperationException();
		}

	}

	/**
	 * A socket that one thread at a time uses, as drivers do.
	 */
	private static final class CountedSocket extends Socket {

		private volatile boolean written;

		@Override
		public OutputStream getOutputStream() throws IOException {
			return new FilterOutputStream(super.getOutputStream()) {

				@Override
				public void write(int value) throws IOException {
					CountedSocket.this.written = true;
					this.out.write(value);
				}

				@Override
				public void write(byte[] bytes, int offset, int length) throws IOException {
					CountedSocket.this.written = true;
					this.out.write(bytes, offset, length);
				}

			};
		}

		@Override
		public InputStream getInputStream() throws IOException {
			return new FilterInputStream(super.getInputStream()) {

				@Override
				public int read() throws IOException {
					countRoundTrip();
					return super.read();
				}

				@Override
				public int read(byte[] bytes, int offset, int length) throws IOException {
					countRoundTrip();
					return super.read(bytes, offset, length);
				}

			};
		}

		private void countRoundTrip() {
			if (this.written) {
				this.written = false;
				COUNT.increment();
			}
		}

	}

}
