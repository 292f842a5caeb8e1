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

package io.leaf.support;

/**
 * A thread of the library: a daemon that takes nothing over from the thread that happens
 * to create it, neither inheritable thread-locals nor the context class loader.
 * <p>
 * Since JDK 19 a thread without inherited thread-locals has the system class loader as
 * its context class loader. In a packaged application that one finds neither JDBC drivers
 * nor anything else of the application, so the library's own is set.
 */
public final class LibraryThread extends Thread {

	/**
	 * Creates a thread.
	 * @param task what it runs
	 * @param name its name
	 */
	public LibraryThread(Runnable task, String name) {
		super(null, task, name, 0, false);
		setDaemon(true);
		setContextClassLoader(LibraryThread.class.getClassLoader());
	}

}
