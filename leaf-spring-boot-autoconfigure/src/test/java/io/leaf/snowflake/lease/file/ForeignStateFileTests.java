// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import io.leaf.snowflake.lease.TestLeases;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests that state files are refused if they are copied, planted, or accessible to other
 * users.
 */
class ForeignStateFileTests {

	private static final String STORE = "zookeeper zk1:2181/snowflake/orders";

	private static final long NOW = 1_795_000_000_000L;

	@TempDir
	private Path directory;

	private final List<AutoCloseable> created = new ArrayList<>();

	@AfterEach
	void close() throws Exception {
		for (AutoCloseable closeable : this.created) {
			closeable.close();
		}
	}

	private FileSavedLeaseStore stateFile() {
		FileSavedLeaseStore stateFile = new FileSavedLeaseStore(this.directory, "orders", "8080",
				Machine.local("10.0.0.1"));
		this.created.add(stateFile);
		return stateFile;
	}

	private FileWorkerLeaseStore store() {
		FileWorkerLeaseStore store = new FileWorkerLeaseStore(this.directory, "orders", 5, Machine.local("10.0.0.1"));
		this.created.add(store);
		return store;
	}

	private Path folder() {
		return this.directory.resolve("orders");
	}

	private void writeLeaseRecord() {
		FileWorkerLeaseStore store = store();
		store.open(SnowflakeLayout.LEAF);
		assertThat(store.write(5, WorkerLeaseStore.ABSENT, TestLeases.lease("a", NOW, "10.0.0.1:8080", NOW, NOW)))
			.isTrue();
		store.close();
	}

	private void assertStoreRefused(String... message) {
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(() -> store().open(SnowflakeLayout.LEAF))
			.withMessageContainingAll(message);
	}

	/**
	 * A copy of a volume in a new file system may have the same device number and inode
	 * number.
	 */
	@Test
	void aCopyThatHappensToHaveTheSameInodeIsRefused() throws IOException {
		FileSavedLeaseStore stateFile = stateFile();
		stateFile.open(SnowflakeLayout.LEAF, STORE);
		stateFile.save(new SavedLease(3, "claim-1", NOW + 3_600_000, NOW));
		stateFile.close();
		copyOverItself(folder().resolve("8080"), "lease");
		FileSavedLeaseStore copy = stateFile();
		copy.open(SnowflakeLayout.LEAF, STORE);
		assertThatExceptionOfType(IdGenerationException.class).isThrownBy(copy::load)
			.withMessageContainingAll("may be a copy", "change-time is '");
	}

	@Test
	void aCopiedLeaseRecordThatHappensToHaveTheSameInodeIsRefused() throws IOException {
		writeLeaseRecord();
		copyOverItself(folder(), "worker-5");
		assertStoreRefused("may be a copy", "change-time is '");
	}

	// replaces the files by copies, as cp -a writes them, with the inode number of the
	// original
	private void copyOverItself(Path folder, String name) throws IOException {
		Path lock = folder.resolve(name + ".lock");
		Path identity = Files.exists(lock) ? lock : folder.resolve(name + ".state");
		Object key = Files.getAttribute(identity, "fileKey");
		Map<Path, byte[]> contents = new LinkedHashMap<>();
		try (Stream<Path> files = Files.list(folder)) {
			for (Path file : files.toList()) {
				contents.put(file, Files.readAllBytes(file));
			}
		}
		Files.delete(identity);
		boolean reused = false;
		List<Path> others = new ArrayList<>();
		for (int i = 0; i < 1000 && !reused; i++) {
			Files.createFile(identity,
					PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
			reused = Files.getAttribute(identity, "fileKey").equals(key);
			if (!reused) {
				others.add(Files.move(identity, folder.resolve("other-" + i)));
			}
		}
		for (Path other : others) {
			Files.delete(other);
		}
		assumeThat(reused).as("the file system reuses inode numbers").isTrue();
		for (Map.Entry<Path, byte[]> file : contents.entrySet()) {
			Files.write(file.getKey(), file.getValue());
		}
	}

	@Test
	void aPlantedLinkIsRefusedAndItsTargetIsNotChanged() throws IOException {
		writeLeaseRecord();
		Path target = Files.createFile(this.directory.resolve("target"));
		for (String name : new String[] { "worker-5.state", "worker-5.lock" }) {
			Path file = folder().resolve(name);
			Files.deleteIfExists(file);
			Files.createSymbolicLink(file, target);
			assertStoreRefused(file.toString(), "a symbolic link");
			assertThat(target).isEmptyFile();
			Files.delete(file);
		}
	}

	@Test
	void aLinkInPlaceOfTheFolderIsRefused() throws IOException {
		Path elsewhere = Files.createDirectory(this.directory.resolve("elsewhere"));
		Files.createSymbolicLink(folder(), elsewhere);
		assertStoreRefused(folder().toString(), "a symbolic link");
		assertThat(elsewhere).isEmptyDirectory();
	}

	@Test
	void aFolderThatIsOpenToOthersIsRefused() throws IOException {
		writeLeaseRecord();
		for (String permissions : new String[] { "rwxrwx---", "rwx---rwx", "rwxr-x---", "rwx-----x" }) {
			Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString(permissions));
			assertStoreRefused(folder() + " cannot be used: other users have permissions on it", "chmod 700");
		}
	}

	// as volumes of Kubernetes may be
	@Test
	void aWorldWritableVolumeIsRefusedButANewFolderInItIsAccepted() throws IOException {
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwxrwxrwx"));
		assertStoreRefused(
				this.directory.toRealPath() + " cannot be used: other users have permissions on it (mode 777)",
				"set the property to a new folder in that volume. Leaf creates the new folder");
		FileWorkerLeaseStore store = new FileWorkerLeaseStore(this.directory.resolve("new"), "orders", 5,
				Machine.local("10.0.0.1"));
		this.created.add(store);
		store.open(SnowflakeLayout.LEAF);
	}

	// as the entry points of containers do
	@Test
	void settingTheOwnerAgainLooksLikeACopyAndTheMessageExplainsThis() throws IOException {
		writeLeaseRecord();
		Path lock = folder().resolve("worker-5.lock");
		Files.setOwner(lock, Files.getOwner(lock));
		assertStoreRefused("may be a copy: change-time is '", "If only the change-time differs",
				"start the process only after the clock has passed");
	}

	@Test
	void aFileThatIsOpenToOthersIsRefused() throws IOException {
		writeLeaseRecord();
		Path file = folder().resolve("worker-5.state");
		byte[] content = Files.readAllBytes(file);
		for (String permissions : new String[] { "rw-rw----", "rw-r--r--" }) {
			Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
			assertStoreRefused(file + " cannot be used: other users have permissions on it", "chmod 600");
			assertThat(file).hasBinaryContent(content);
		}
	}

	@Test
	void aFileOfAnotherUserIsRefused() throws IOException {
		writeLeaseRecord();
		assumeThat(canGiveAway(this.directory.resolve("given"))).as("runs as root").isTrue();
		Path file = folder().resolve("worker-5.state");
		Files.setAttribute(file, "unix:uid", 65_534);
		assertStoreRefused(file.toString(), "65534", "chown");
		Files.delete(file);
		Files.setAttribute(folder(), "unix:uid", 65_534);
		assertStoreRefused(folder().toString(), "65534", "chown");
		Files.setAttribute(folder(), "unix:uid", 0);
		Files.setAttribute(this.directory, "unix:uid", 65_534);
		assertStoreRefused(this.directory.toString(), "65534",
				"a volume that belongs to another user or is world-writable");
	}

	private static boolean canGiveAway(Path file) throws IOException {
		Files.createFile(file);
		try {
			Files.setAttribute(file, "unix:uid", 65_534);
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
