// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class MySqlServersIT {

	@Test
	void refusesMariaDbWhenTheBuildRequiresMySql() {
		assertThatIllegalStateException().isThrownBy(() -> MySqlServers.requireMySql(Databases.mariadb()))
			.withMessageContaining("MariaDB 11")
			.withMessageContaining("-Pmysql")
			.withMessageContaining("apt-get install");
	}

	@Test
	void findsMySqlWhenTheBuildRequiresIt() {
		if (TestScope.isFull()) {
			assertThat(Databases.mysql().product()).startsWith("MySQL 8.");
		}
		else {
			assertThat(Databases.mysql().product()).containsAnyOf("MySQL", "MariaDB");
		}
	}

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the stand-in for mysqld is a shell script")
	void reportsTheOutputOfMysqldAndWhatToInstall(@TempDir Path home) throws IOException {
		Path program = Files.createDirectories(home.resolve("bin")).resolve("mysqld");
		Files.createDirectories(home.resolve("lib/private"));
		Files.writeString(program,
				"#!/bin/sh\necho 'error while loading shared libraries: libaio.so.1' >&2\nexit 127\n");
		assertThat(program.toFile().setExecutable(true)).isTrue();
		assertThatIllegalStateException().isThrownBy(() -> new MySqlServer(home, false).launch())
			.withMessageContaining("error while loading shared libraries: libaio.so.1")
			.withMessageContaining("apt-get install -y --no-install-recommends libaio1 libnuma1");
	}

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "symbolic links need a privilege on Windows")
	void findsTheLibraryUnderItsNewName(@TempDir Path directory) throws IOException {
		Path systemLibraries = Files.createDirectories(directory.resolve("lib/x86_64-linux-gnu"));
		Path renamed = Files.createFile(systemLibraries.resolve("libaio.so.1t64"));
		Path privateLibraries = Files.createDirectory(directory.resolve("private"));
		MySqlServer.linkRenamedLibrary(privateLibraries, systemLibraries.getParent());
		assertThat(privateLibraries.resolve("libaio.so.1")).isSymbolicLink().hasSameBinaryContentAs(renamed);
	}

	@Test
	@DisabledOnOs(value = OS.WINDOWS, disabledReason = "symbolic links need a privilege on Windows")
	void prefersTheLibraryUnderItsOldName(@TempDir Path directory) throws IOException {
		Path systemLibraries = Files.createDirectories(directory.resolve("lib/x86_64-linux-gnu"));
		Files.createFile(systemLibraries.resolve("libaio.so.1"));
		Files.createFile(systemLibraries.resolve("libaio.so.1t64"));
		Path privateLibraries = Files.createDirectory(directory.resolve("private"));
		MySqlServer.linkRenamedLibrary(privateLibraries, systemLibraries.getParent());
		assertThat(privateLibraries).isEmptyDirectory();
	}

}
