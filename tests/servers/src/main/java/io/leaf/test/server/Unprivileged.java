// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Runs servers that refuse to run as root. In its own user namespace, such a server has
 * another user ID, but still root's access to files. If user namespaces are forbidden, as
 * in most containers, the server runs as another user, which must own its data.
 */
final class Unprivileged {

	private static final int NO_OWNER = 65534;

	private Unprivileged() {
	}

	/**
	 * Returns the prefix of a server's command.
	 * @param directory the server's directory
	 * @param data its data directory, which this method may create
	 * @return the prefix, empty if this process does not run as root
	 */
	static List<String> prefix(Path directory, Path data) {
		if (!ServerFiles.isRoot()) {
			return List.of();
		}
		List<String> namespace = List.of("unshare", "--user");
		try {
			ServerProcess.run(directory, Map.of(), Stream.concat(namespace.stream(), Stream.of("true")).toList());
			return namespace;
		}
		catch (IllegalStateException | UncheckedIOException ex) {
			return asAnotherUser(data);
		}
	}

	private static List<String> asAnotherUser(Path data) {
		try {
			Files.createDirectory(data,
					PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
			Files.setAttribute(data, "unix:uid", NO_OWNER);
			Files.setAttribute(data, "unix:gid", NO_OWNER);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return List.of("setpriv", "--reuid=" + NO_OWNER, "--regid=" + NO_OWNER, "--clear-groups");
	}

}
