// SPDX-License-Identifier: Apache-2.0

package io.leaf.support;

/**
 * A daemon thread of the library. It inherits neither inheritable thread-locals nor the
 * context class loader from the thread that creates it.
 * <p>
 * Since JDK 19, a thread without inherited thread-locals has the system class loader as
 * its context class loader. In a packaged application, the system class loader finds
 * neither JDBC drivers nor other classes of the application, so the library's own class
 * loader is set.
 */
public final class LibraryThread extends Thread {

	/**
	 * Creates a thread.
	 * @param task the task to run
	 * @param name the name of the thread
	 */
	public LibraryThread(Runnable task, String name) {
		super(null, task, name, 0, false);
		setDaemon(true);
		setContextClassLoader(LibraryThread.class.getClassLoader());
	}

}
