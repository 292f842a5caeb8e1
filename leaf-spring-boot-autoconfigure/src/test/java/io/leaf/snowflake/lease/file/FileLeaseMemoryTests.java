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
import io.leaf.snowflake.lease.LeaseMemory.RememberedLease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FileLeaseMemoryTests {

	private static final Machine HERE = new Machine("web-1", "10.0.0.1:8080", "boot-1");

	private static final String STORE = "zookeeper zk1:2181/snowflake/orders";

	private static final RememberedLease LEASE = new RememberedLease(3, "claim-1", 1_795_003_600_000L,
			1_795_000_010_000L);

	@TempDir
	private Path directory;

	private final List<FileLeaseMemory> opened = new ArrayList<>();

	@AfterEach
	void close() {
		this.opened.forEach(FileLeaseMemory::close);
	}

	private FileLeaseMemory create(Path stateDir, Machine machine) {
		FileLeaseMemory memory = new FileLeaseMemory(stateDir, "orders", "8080", machine);
		this.opened.add(memory);
		return memory;
	}

	private FileLeaseMemory open() {
		FileLeaseMemory memory = create(this.directory, HERE);
		memory.open(SnowflakeLayout.LEAF, STORE);
		return memory;
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
	void load_returnsNothingWhereNothingWasSaved() {
		FileLeaseMemory memory = open();
		assertThat(memory.load()).isNull();
		memory.close();
		assertThat(open().load()).isNull();
	}

	@Test
	void load_returnsWhatWasSaved() {
		FileLeaseMemory memory = open();
		memory.save(LEASE);
		assertThat(memory.load()).isEqualTo(LEASE);
		memory.close();
		assertThat(open().load()).isEqualTo(LEASE);
	}

	@Test
	void load_returnsTheLastOfMany() {
		FileLeaseMemory memory = open();
		RememberedLease last = LEASE;
		for (int i = 1; i < 10; i++) {
			last = new RememberedLease(3, "claim-1", LEASE.horizon() + i, LEASE.reservedUntil() + i);
			memory.save(last);
		}
		memory.close();
		assertThat(open().load()).isEqualTo(last);
	}

	@Test
	void clear_forgets() throws IOException {
		FileLeaseMemory memory = open();
		memory.clear();
		assertThat(memory.load()).isNull();
		memory.save(LEASE);
		memory.clear();
		assertThat(memory.load()).isNull();
		memory.close();
		assertThat(path()).content().doesNotContain("claim-1");
		FileLeaseMemory next = open();
		assertThat(next.load()).isNull();
		next.save(LEASE);
		assertThat(next.load()).isEqualTo(LEASE);
	}

	@Test
	void open_mayBeCalledAgain() {
		FileLeaseMemory memory = open();
		memory.save(LEASE);
		memory.open(SnowflakeLayout.LEAF, STORE);
		assertThat(memory.load()).isEqualTo(LEASE);
		memory.close();
		memory.close();
		memory.open(SnowflakeLayout.LEAF, STORE);
		assertThat(memory.load()).isEqualTo(LEASE);
	}

	@Test
	void open_refusesWhatAnotherProcessUses() {
		FileLeaseMemory memory = open();
		assertFails(this::open, path().toString(), "is in use", "leaf.name=orders", "leaf.snowflake.port=8080",
				"Give each a leaf.snowflake.port of its own");
		FileLeaseMemory neighbour = new FileLeaseMemory(this.directory, "orders", "8081", HERE);
		this.opened.add(neighbour);
		neighbour.open(SnowflakeLayout.LEAF, STORE);
		memory.close();
		open();
	}

	@Test
	void open_refusesADirectoryThatIsNone() throws IOException {
		Files.createFile(this.directory.resolve("orders"));
		assertFails(this::open, path().toString(), "is not a directory", "Set leaf.snowflake.state-dir");
	}

	@Test
	void open_worksOnceItsReasonToFailIsGone() throws IOException {
		Files.createFile(this.directory.resolve("orders"));
		FileLeaseMemory memory = create(this.directory, HERE);
		assertFails(() -> memory.open(SnowflakeLayout.LEAF, STORE), "is not a directory");
		assertFails(memory::load, "is not open");
		Files.delete(this.directory.resolve("orders"));
		memory.open(SnowflakeLayout.LEAF, STORE);
		assertThat(memory.load()).isNull();
	}

	@Test
	void load_refusesACopy() throws IOException {
		FileLeaseMemory memory = open();
		memory.save(LEASE);
		memory.close();
		Path other = this.directory.resolve("other");
		Files.createDirectories(path(other).getParent());
		Files.copy(path(), path(other), StandardCopyOption.COPY_ATTRIBUTES);
		Files.copy(lock(path()), lock(path(other)), StandardCopyOption.COPY_ATTRIBUTES);
		for (Path folder : new Path[] { path(other).getParent(), path(other).getParent().getParent() }) {
			Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
		}
		FileLeaseMemory copy = create(other, HERE);
		copy.open(SnowflakeLayout.LEAF, STORE);
		assertFails(copy::load, path(other).toString(), "may be a copy",
				"inode is '%s', and '%s' is recorded".formatted(inode(path(other)), inode(path())), "change-time is '",
				"The change time also changes with chmod", "while the store of worker IDs can be reached");
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
	void load_takesAFileThatWasMovedWithItsDirectory() throws IOException {
		FileLeaseMemory memory = open();
		memory.save(LEASE);
		memory.close();
		Path other = Files.createDirectory(this.directory.resolve("other"));
		Files.move(this.directory.resolve("orders"), other.resolve("orders"));
		FileLeaseMemory moved = create(other, HERE);
		moved.open(SnowflakeLayout.LEAF, STORE);
		assertThat(moved.load()).isEqualTo(LEASE);
	}

	@Test
	void load_refusesWhatAnotherMachineWrote() {
		FileLeaseMemory memory = open();
		memory.save(LEASE);
		memory.close();
		FileLeaseMemory other = create(this.directory, new Machine("web-2", "10.0.0.2", "boot-1"));
		other.open(SnowflakeLayout.LEAF, STORE);
		assertFails(other::load, path().toString(), "may be a copy", "web-1", "web-2", "10.0.0.1", "10.0.0.2");
	}

	@Test
	void load_refusesAnotherLayout() {
		FileLeaseMemory memory = open();
		memory.save(LEASE);
		memory.close();
		FileLeaseMemory other = create(this.directory, HERE);
		other.open(SnowflakeLayout.BAIDU, STORE);
		assertFails(other::load, path().toString(), SnowflakeLayout.LEAF.toString(), SnowflakeLayout.BAIDU.toString(),
				"Set leaf.snowflake.layout as it was");
	}

	@Test
	void load_refusesWhatIsDamaged() throws IOException {
		open().close();
		Files.writeString(path(), "workerID=3");
		FileLeaseMemory memory = open();
		assertFails(memory::load, path().toString(), "is damaged", "will be written anew");
		memory.save(LEASE);
		assertThat(memory.load()).isEqualTo(LEASE);
		memory.close();
		assertThat(open().load()).isEqualTo(LEASE);
	}

	@Test
	void save_failsWithTheDisk() {
		SimulatedDisk disk = new SimulatedDisk();
		FileLeaseMemory memory = new FileLeaseMemory(this.directory, "orders", "8080", HERE, disk);
		memory.open(SnowflakeLayout.LEAF, STORE);
		memory.save(LEASE);
		disk.fail(SimulatedDisk.Failure.NOT_WRITTEN);
		assertFails(() -> memory.save(new RememberedLease(3, "claim-1", 2, 1)), path().toString(),
				"could not be written", "No space left on device", "leaf.snowflake.state-dir");
		assertThat(memory.load()).isEqualTo(LEASE);
		disk.fail(SimulatedDisk.Failure.NOT_WRITTEN);
		assertFails(memory::clear, "could not be written");
		assertThat(memory.load()).isEqualTo(LEASE);
		memory.clear();
		assertThat(memory.load()).isNull();
	}

	@Test
	void load_refusesWhatWasWrittenBeforeTheMachineStarted() {
		FileLeaseMemory memory = open();
		memory.save(LEASE);
		memory.close();
		FileLeaseMemory other = create(this.directory, new Machine("web-1", "10.0.0.1:8080", "boot-2"));
		other.open(SnowflakeLayout.LEAF, STORE);
		assertFails(other::load, path().toString(), "boot-id is 'boot-2', and 'boot-1' is recorded");
	}

	@Test
	void load_refusesWhatSpeaksOfAnotherStore() {
		FileLeaseMemory memory = open();
		memory.save(LEASE);
		memory.close();
		memory.open(SnowflakeLayout.LEAF, "zookeeper zk2:2181/snowflake/orders");
		assertFails(memory::load, path().toString(),
				"store is 'zookeeper zk2:2181/snowflake/orders', and 'zookeeper zk1:2181/snowflake/orders' is recorded",
				"Start the process while the store of worker IDs can be reached");
	}

	@Test
	void save_putsTheFileBackWhereItWasDeleted() throws IOException {
		FileLeaseMemory memory = open();
		Files.delete(path());
		memory.save(LEASE);
		memory.close();
		assertThat(open().load()).isEqualTo(LEASE);
	}

	@Test
	void save_failsWhereTheLockFileWasDeleted() throws IOException {
		FileLeaseMemory memory = open();
		Files.delete(lock(path()));
		assertFails(() -> memory.save(LEASE), lock(path()).toString(), "was deleted or replaced",
				"Leave state files alone");
	}

	@Test
	void namesDoNotLeadOutOfTheDirectory() {
		FileLeaseMemory memory = new FileLeaseMemory(this.directory, "../a/b", "..", HERE);
		this.opened.add(memory);
		memory.open(SnowflakeLayout.LEAF, STORE);
		assertThat(this.directory.resolve("..%2Fa%2Fb").resolve(".%2E").resolve("lease.state")).isRegularFile();
	}

}
