// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.TestLeases;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests with something other than a regular file in place of the state file.
 */
class UnexpectedFilesTests {

	private static final long GIGABYTES = 3L << 30;

	private static final long NOW = 1_795_000_000_000L;

	private static final Lease LEASE = TestLeases.lease("a", NOW, "10.0.0.1:8080", NOW, NOW);

	@TempDir
	private Path directory;

	private final List<FileWorkerLeaseStore> created = new ArrayList<>();

	@AfterEach
	void close() {
		this.created.forEach(FileWorkerLeaseStore::close);
	}

	private Path path() throws IOException {
		return Files
			.createDirectories(this.directory.resolve("orders"),
					PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
			.resolve("worker-5.state");
	}

	private FileWorkerLeaseStore create() {
		FileWorkerLeaseStore store = new FileWorkerLeaseStore(this.directory, "orders", 5,
				new Machine("web-1", "10.0.0.1", "boot-1"));
		this.created.add(store);
		return store;
	}

	private FileWorkerLeaseStore open() {
		FileWorkerLeaseStore store = create();
		store.open(SnowflakeLayout.LEAF);
		return store;
	}

	private void assertRefused(String... message) throws IOException {
		Path path = path();
		for (int attempt = 0; attempt < 2; attempt++) {
			assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(this::open)
				.withMessageContainingAll(path.toString(), "cannot be used", "Set leaf.snowflake.state-dir")
				.withMessageContainingAll(message)
				.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
		}
	}

	@Test
	void aFileOfGigabytesIsReadOnlyAsFarAsNecessary() throws IOException {
		FileWorkerLeaseStore store = open();
		assertThat(store.write(5, WorkerLeaseStore.ABSENT, LEASE)).isTrue();
		store.close();
		try (RandomAccessFile file = new RandomAccessFile(path().toFile(), "rw")) {
			file.setLength(GIGABYTES);
		}
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(this::open)
			.withMessageContainingAll(path().toString(), "is damaged");
		assertThat(path()).hasSize(GIGABYTES);
	}

	// formerly, such a file was treated as a new one
	@ParameterizedTest
	@ValueSource(longs = { 0, 1, GIGABYTES })
	void anEmptyFileIsDamaged(long length) throws IOException {
		open().close();
		try (RandomAccessFile file = new RandomAccessFile(path().toFile(), "rw")) {
			file.setLength(0);
			file.setLength(length);
		}
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(this::open)
			.withMessageContainingAll(path().toString(), "is damaged", "delete the file");
	}

	@Test
	void aDirectoryIsRefused() throws IOException {
		Files.createDirectory(path());
		assertRefused("but a directory");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/dev/null", "/dev/zero", "/dev/full", "nothing", "worker-5.state", ".", "file" })
	void aLinkIsRefused(String target) throws IOException {
		Files.createFile(this.directory.resolve("orders").resolveSibling("file"));
		Files.createSymbolicLink(path(), Path.of(target));
		assertRefused("but a symbolic link");
		assertThat(this.directory.resolve("nothing")).doesNotExist();
	}

	@Test
	void aPipeIsRefused() throws Exception {
		assertThat(new ProcessBuilder("mkfifo", path().toString()).start().waitFor()).isZero();
		assertRefused("a device or a pipe");
	}

	@ParameterizedTest
	@ValueSource(strings = { "---------", "-w-------" })
	void aFileThatMayNotBeReadIsRefusedExceptForRoot(String permissions) throws IOException {
		open().close();
		Files.setPosixFilePermissions(path(), PosixFilePermissions.fromString(permissions));
		if (Files.isReadable(path())) {
			// root may access every file
			assertThat(open().readAll()).isEmpty();
		}
		else {
			assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(this::open)
				.withMessageContainingAll(path().toString(), "could not be read");
		}
	}

}
