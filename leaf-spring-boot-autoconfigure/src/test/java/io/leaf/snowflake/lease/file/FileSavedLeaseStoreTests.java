// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FileSavedLeaseStoreTests {

	private static final Machine HERE = new Machine("web-1", "10.0.0.1:8080", "boot-1");

	private static final String STORE = "zookeeper zk1:2181/snowflake/orders";

	private static final SavedLease LEASE = new SavedLease(3, "claim-1", 1_795_003_600_000L, 1_795_000_010_000L);

	@TempDir
	private Path directory;

	private final List<FileSavedLeaseStore> opened = new ArrayList<>();

	@AfterEach
	void close() {
		this.opened.forEach(FileSavedLeaseStore::close);
	}

	private FileSavedLeaseStore create(Path stateDir, Machine machine) {
		FileSavedLeaseStore stateFile = new FileSavedLeaseStore(stateDir, "orders", "8080", machine);
		this.opened.add(stateFile);
		return stateFile;
	}

	private FileSavedLeaseStore open(Path stateDir, Machine machine) {
		FileSavedLeaseStore stateFile = create(stateDir, machine);
		stateFile.open(SnowflakeLayout.LEAF, STORE);
		return stateFile;
	}

	private FileSavedLeaseStore open() {
		return open(this.directory, HERE);
	}

	private FileSavedLeaseStore saveAndClose() {
		FileSavedLeaseStore stateFile = open();
		stateFile.save(LEASE);
		stateFile.close();
		return stateFile;
	}

	private Path path() {
		return path(this.directory);
	}

	private static Path path(Path stateDir) {
		return stateDir.resolve("orders").resolve("8080").resolve("lease.state");
	}

	private static void assertFails(Runnable action, String... message) {
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(action::run)
			.withMessageContainingAll(message);
	}

	@Test
	void load_returnsNothingIfNothingWasSaved() {
		FileSavedLeaseStore stateFile = open();
		assertThat(stateFile.load()).isNull();
		stateFile.close();
		assertThat(open().load()).isNull();
	}

	@Test
	void load_returnsTheSavedLease() {
		FileSavedLeaseStore stateFile = open();
		stateFile.save(LEASE);
		assertThat(stateFile.load()).isEqualTo(LEASE);
		stateFile.close();
		assertThat(open().load()).isEqualTo(LEASE);
	}

	@Test
	void load_returnsTheLeaseSavedLast() {
		FileSavedLeaseStore stateFile = open();
		SavedLease last = LEASE;
		for (int i = 1; i < 10; i++) {
			last = new SavedLease(3, "claim-1", LEASE.horizon() + i, LEASE.reservedUntil() + i);
			stateFile.save(last);
		}
		stateFile.close();
		assertThat(open().load()).isEqualTo(last);
	}

	@Test
	void clear_removesTheSavedLease() throws IOException {
		FileSavedLeaseStore stateFile = open();
		stateFile.clear();
		assertThat(stateFile.load()).isNull();
		stateFile.save(LEASE);
		stateFile.clear();
		assertThat(stateFile.load()).isNull();
		stateFile.close();
		assertThat(path()).content().doesNotContain("claim-1");
		FileSavedLeaseStore next = open();
		assertThat(next.load()).isNull();
		next.save(LEASE);
		assertThat(next.load()).isEqualTo(LEASE);
	}

	@Test
	void open_mayBeCalledAgain() {
		FileSavedLeaseStore stateFile = open();
		stateFile.save(LEASE);
		stateFile.open(SnowflakeLayout.LEAF, STORE);
		assertThat(stateFile.load()).isEqualTo(LEASE);
		stateFile.close();
		stateFile.close();
		stateFile.open(SnowflakeLayout.LEAF, STORE);
		assertThat(stateFile.load()).isEqualTo(LEASE);
	}

	@Test
	void open_rejectsAFileThatAnotherProcessUses() {
		FileSavedLeaseStore stateFile = open();
		assertFails(this::open, path().toString(), "is in use", "leaf.name=orders", "leaf.snowflake.port=8080",
				"Set a different leaf.snowflake.port for each");
		FileSavedLeaseStore other = new FileSavedLeaseStore(this.directory, "orders", "8081", HERE);
		this.opened.add(other);
		other.open(SnowflakeLayout.LEAF, STORE);
		stateFile.close();
		open();
	}

	@Test
	void open_rejectsAFileInPlaceOfTheDirectory() throws IOException {
		Files.createFile(this.directory.resolve("orders"));
		assertFails(this::open, path().toString(), "is not a directory", "Set leaf.snowflake.state-dir");
	}

	@Test
	void open_worksOnceTheReasonForItsFailureIsRemoved() throws IOException {
		Files.createFile(this.directory.resolve("orders"));
		FileSavedLeaseStore stateFile = create(this.directory, HERE);
		assertFails(() -> stateFile.open(SnowflakeLayout.LEAF, STORE), "is not a directory");
		assertFails(stateFile::load, "is not open");
		Files.delete(this.directory.resolve("orders"));
		stateFile.open(SnowflakeLayout.LEAF, STORE);
		assertThat(stateFile.load()).isNull();
	}

	@Test
	void load_refusesACopy() throws IOException {
		saveAndClose();
		Path other = this.directory.resolve("other");
		Files.createDirectories(path(other).getParent());
		Files.copy(path(), path(other), StandardCopyOption.COPY_ATTRIBUTES);
		Files.copy(lock(path()), lock(path(other)), StandardCopyOption.COPY_ATTRIBUTES);
		for (Path folder : new Path[] { path(other).getParent(), path(other).getParent().getParent() }) {
			Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
		}
		FileSavedLeaseStore copy = open(other, HERE);
		assertFails(copy::load, path(other).toString(), "may be a copy",
				"inode is '%s', but '%s' is recorded".formatted(inode(path(other)), inode(path())), "change-time is '",
				"If only the change-time differs", "while the store of worker IDs can be reached");
		copy.save(LEASE);
		assertThat(copy.load()).isEqualTo(LEASE);
		assertThat(open().load()).isEqualTo(LEASE);
	}

	private static Path lock(Path path) {
		return path.resolveSibling("lease.lock");
	}

	private static String inode(Path path) throws IOException {
		return Files.getAttribute(lock(path), "unix:ino").toString();
	}

	@Test
	void load_acceptsAFileThatWasMovedWithItsDirectory() throws IOException {
		saveAndClose();
		Path other = Files.createDirectory(this.directory.resolve("other"));
		Files.move(this.directory.resolve("orders"), other.resolve("orders"));
		FileSavedLeaseStore moved = open(other, HERE);
		assertThat(moved.load()).isEqualTo(LEASE);
	}

	@Test
	void load_rejectsAFileThatAnotherMachineWrote() {
		saveAndClose();
		FileSavedLeaseStore other = open(this.directory, new Machine("web-2", "10.0.0.2", "boot-1"));
		assertFails(other::load, path().toString(), "may be a copy", "web-1", "web-2", "10.0.0.1", "10.0.0.2");
	}

	@Test
	void load_refusesAnotherLayout() {
		saveAndClose();
		FileSavedLeaseStore other = create(this.directory, HERE);
		other.open(SnowflakeLayout.BAIDU, STORE);
		assertFails(other::load, path().toString(), SnowflakeLayout.LEAF.toString(), SnowflakeLayout.BAIDU.toString(),
				"Set leaf.snowflake.layout.* to the recorded layout");
	}

	@Test
	void load_rejectsADamagedFile() throws IOException {
		open().close();
		Files.writeString(path(), "workerID=3");
		FileSavedLeaseStore stateFile = open();
		assertFails(stateFile::load, path().toString(), "is damaged", "writes a new file");
		stateFile.save(LEASE);
		assertThat(stateFile.load()).isEqualTo(LEASE);
		stateFile.close();
		assertThat(open().load()).isEqualTo(LEASE);
	}

	@Test
	void save_failsIfTheDiskFails() {
		SimulatedDisk disk = new SimulatedDisk();
		FileSavedLeaseStore stateFile = new FileSavedLeaseStore(this.directory, "orders", "8080", HERE, disk);
		stateFile.open(SnowflakeLayout.LEAF, STORE);
		stateFile.save(LEASE);
		disk.fail(SimulatedDisk.Failure.NOT_WRITTEN);
		assertFails(() -> stateFile.save(new SavedLease(3, "claim-1", 2, 1)), path().toString(), "could not be written",
				"No space left on device", "leaf.snowflake.state-dir");
		assertThat(stateFile.load()).isEqualTo(LEASE);
		disk.fail(SimulatedDisk.Failure.NOT_WRITTEN);
		assertFails(stateFile::clear, "could not be written");
		assertThat(stateFile.load()).isEqualTo(LEASE);
		stateFile.clear();
		assertThat(stateFile.load()).isNull();
	}

	@Test
	void load_rejectsAFileThatWasWrittenBeforeTheMachineBooted() {
		saveAndClose();
		FileSavedLeaseStore other = open(this.directory, new Machine("web-1", "10.0.0.1:8080", "boot-2"));
		assertFails(other::load, path().toString(), "boot-id is 'boot-2', but 'boot-1' is recorded");
	}

	@Test
	void load_rejectsALeaseOfAnotherStore() {
		FileSavedLeaseStore stateFile = saveAndClose();
		stateFile.open(SnowflakeLayout.LEAF, "zookeeper zk2:2181/snowflake/orders");
		assertFails(stateFile::load, path().toString(),
				"store is 'zookeeper zk2:2181/snowflake/orders', but 'zookeeper zk1:2181/snowflake/orders' is recorded",
				"Start the process while the store of worker IDs can be reached");
	}

	@Test
	void save_restoresAFileThatWasDeleted() throws IOException {
		FileSavedLeaseStore stateFile = open();
		Files.delete(path());
		stateFile.save(LEASE);
		stateFile.close();
		assertThat(open().load()).isEqualTo(LEASE);
	}

	@Test
	void save_failsIfTheLockFileWasDeleted() throws IOException {
		FileSavedLeaseStore stateFile = open();
		Files.delete(lock(path()));
		assertFails(() -> stateFile.save(LEASE), lock(path()).toString(), "may have been deleted or replaced",
				"do not change state files");
	}

	@Test
	void namesCannotEscapeTheDirectory() {
		FileSavedLeaseStore stateFile = new FileSavedLeaseStore(this.directory, "../a/b", "..", HERE);
		this.opened.add(stateFile);
		stateFile.open(SnowflakeLayout.LEAF, STORE);
		assertThat(this.directory.resolve("..%2Fa%2Fb").resolve(".%2E").resolve("lease.state")).isRegularFile();
	}

}
