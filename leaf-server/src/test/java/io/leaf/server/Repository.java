// SPDX-License-Identifier: Apache-2.0

package io.leaf.server;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Finds the files of the repository. Several modules run the tests of the server, so the
 * working directory differs.
 */
final class Repository {

	private Repository() {
	}

	/**
	 * Returns a file.
	 * @param path its path from the root of the repository
	 */
	static Path file(String path) {
		Path folder = Path.of("").toAbsolutePath();
		while (!Files.exists(folder.resolve("CHANGELOG.md"))) {
			folder = folder.getParent();
		}
		return folder.resolve(path);
	}

}
