// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.WorkerLeaseStore;
import io.leaf.snowflake.lease.WorkerLeaseStoreContract;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FileWorkerLeaseStoreTests extends WorkerLeaseStoreContract {

	private static final Machine HERE = new Machine("web-1", "10.0.0.1", "boot-1");

	@TempDir
	private Path directory;

	private final List<WorkerLeaseStore> created = new ArrayList<>();

	@Override
	protected WorkerLeaseStore createStore() {
		return create(this.directory, 5, HERE);
	}

	@Override
	protected WorkerLeaseStore restart() {
		this.store.close();
		return createStore();
	}

	private FileWorkerLeaseStore create(Path stateDir, long workerId, Machine machine) {
		FileWorkerLeaseStore another = new FileWorkerLeaseStore(stateDir, "orders", workerId, machine);
		this.created.add(another);
		return another;
	}

	@AfterEach
	void close() {
		this.created.forEach(WorkerLeaseStore::close);
	}

	private Path path() {
		return this.directory.resolve("orders").resolve("worker-5.state");
	}

	private static void assertRefused(WorkerLeaseStore store, String... message) {
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> store.open(LAYOUT))
			.withMessageContainingAll(message)
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	@Test
	void source_isFile() {
		assertThat(this.store.source()).isEqualTo("file");
	}

	@Test
	void newWorkerId_isTheConfiguredOneUntilItHasALeaseRecord() {
		assertThat(this.store.newWorkerId(Set.of())).isEqualTo(OptionalLong.of(5));
		assertThat(this.store.newWorkerId(Set.of(5L))).isEmpty();
		assertThat(this.store.readAll()).isEmpty();
		create(held("a", NOW + 10));
		assertThat(this.store.newWorkerId(Set.of())).isEmpty();
		WorkerLeaseStore restarted = restart();
		restarted.open(LAYOUT);
		assertThat(restarted.newWorkerId(Set.of())).isEmpty();
	}

	@Test
	void storeHasNoClock() {
		create(held("a", NOW + 10));
		assertThat(this.store.currentTime()).isEmpty();
		assertThat(this.store.read(5).storedAt()).isNull();
	}

	@Test
	void otherWorkerIdsDoNotExist() {
		create(held("a", NOW + 10));
		assertThat(this.store.read(4)).isNull();
		assertThatExceptionOfType(WorkerLeaseStoreException.class)
			.isThrownBy(() -> this.store.write(4, WorkerLeaseStore.ABSENT, held("a", NOW + 10)))
			.withMessageContainingAll("keeps worker ID 5", "leaf.snowflake.worker.id", "not 4");
		assertThat(this.store.readAll()).extracting(LeaseRecord::workerId).containsExactly(5L);
	}

	@Test
	void theLeaseRecordOfAnEarlierProcessIsReleasedWithItsHorizonKept() {
		create(held("a", NOW + 10));
		long version = this.store.read(5).version();
		WorkerLeaseStore restarted = restart();
		restarted.open(LAYOUT);
		Lease released = new Lease(Lease.NO_OWNER, NOW + 10, "10.0.0.1:8080", NOW, NOW, version);
		LeaseRecord inherited = new LeaseRecord(5, released, null, null);
		assertThat(restarted.read(5)).isEqualTo(inherited);
		assertThat(restarted.readAll()).containsExactly(inherited);
		restarted.open(LAYOUT);
		assertThat(restarted.read(5)).isEqualTo(inherited);
		assertThat(restarted.write(5, version, held("b", NOW + 20))).isTrue();
		assertThat(restarted.read(5)).isEqualTo(new LeaseRecord(5, held("b", NOW + 20), null, null));
		restarted.open(LAYOUT);
		assertThat(restarted.read(5).lease().owner()).isEqualTo("b");
	}

	@Test
	void aRestartAfterAKillContinuesAboveTheHorizon() throws IOException {
		this.store.close();
		try (OtherProcess other = OtherProcess.start(this.directory)) {
			assertThat(other.answer()).isEqualTo("holds it");
			assertRefused(this.store, path().toString(), "is in use", "leaf.name=orders", "leaf.snowflake.worker.id=5",
					"Set a different leaf.snowflake.worker.id for each process");
		}
		this.store.open(LAYOUT);
		LeaseRecord record = this.store.read(5);
		assertThat(record.lease().isReleased()).isTrue();
		assertThat(record.lease().horizon()).isEqualTo(OtherProcess.LEASE.horizon());
		assertThat(this.store.write(5, record.version(), held("b", NOW + 90_000))).isTrue();
	}

	@Test
	void anEarlierVersionIsNotAcceptedAfterARestart() {
		create(held("a", NOW + 10));
		long first = this.store.read(5).version();
		Lease released = held(Lease.NO_OWNER, NOW + 5);
		assertThat(this.store.write(5, first, released)).isTrue();
		WorkerLeaseStore restarted = restart();
		restarted.open(LAYOUT);
		assertThat(restarted.write(5, first, held("b", NOW + 20))).isFalse();
		assertThat(restarted.write(5, released.version(), held("b", NOW + 20))).isTrue();
	}

	@Test
	void open_refusesAWorkerIdThatIsInUseInThisProcess() {
		WorkerLeaseStore another = createStore();
		assertRefused(another, path().toString(), "is in use", "leaf.snowflake.worker.id=5");
		this.store.close();
		this.store.close();
		another.open(LAYOUT);
	}

	@Test
	void otherWorkerIdsAreIndependent() {
		create(held("a", NOW + 10));
		WorkerLeaseStore another = create(this.directory, 6, HERE);
		another.open(LAYOUT);
		assertThat(another.newWorkerId(Set.of())).isEqualTo(OptionalLong.of(6));
		assertThat(another.readAll()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(longs = { -1, 1024, Long.MAX_VALUE })
	void open_refusesAWorkerIdOutsideTheLayout(long workerId) {
		assertRefused(create(this.directory, workerId, HERE), "leaf.snowflake.worker.id is " + workerId,
				"from 0 to 1023");
		assertThat(path().resolveSibling("worker-%d.state".formatted(workerId))).doesNotExist();
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1023 })
	void open_acceptsTheFirstAndTheLastWorkerIdOfTheLayout(long workerId) {
		WorkerLeaseStore another = create(this.directory, workerId, HERE);
		another.open(LAYOUT);
		assertThat(another.newWorkerId(Set.of())).isEqualTo(OptionalLong.of(workerId));
	}

	@Test
	void open_refusesACopy() throws IOException {
		create(held("a", NOW + 10));
		this.store.close();
		Path other = this.directory.resolve("other");
		Path copy = other.resolve("orders").resolve("worker-5.state");
		Files.createDirectories(copy.getParent());
		Files.setPosixFilePermissions(copy.getParent(), PosixFilePermissions.fromString("rwx------"));
		Files.copy(path(), copy, StandardCopyOption.COPY_ATTRIBUTES);
		Files.copy(lock(path()), lock(copy), StandardCopyOption.COPY_ATTRIBUTES);
		assertRefused(create(other, 5, HERE), copy.toString(), "may be a copy",
				"inode is '%s', but '%s' is recorded".formatted(inode(copy), inode(path())), "change-time is '",
				"no other process uses worker ID 5", "2026-11-18T11:06:40.010Z", "leaf.snowflake.worker.id");
	}

	private static Path lock(Path path) {
		return path.resolveSibling("worker-5.lock");
	}

	private static String inode(Path path) throws IOException {
		return Files.getAttribute(lock(path), "unix:ino").toString();
	}

	@Test
	void aRebootOfTheMachineDoesNotInvalidateTheLeaseRecord() {
		create(held("a", NOW + 10));
		this.store.close();
		WorkerLeaseStore rebooted = create(this.directory, 5, new Machine("web-1", "10.0.0.1", "boot-2"));
		rebooted.open(LAYOUT);
		assertThat(rebooted.read(5).lease().horizon()).isEqualTo(NOW + 10);
	}

	@Test
	void aChangeOfTheDefaultLocaleDoesNotInvalidateTheLeaseRecord() {
		create(held("a", NOW + 10));
		Locale before = Locale.getDefault();
		try {
			// this locale has its own digits
			Locale.setDefault(Locale.forLanguageTag("ar-EG"));
			WorkerLeaseStore restarted = restart();
			restarted.open(LAYOUT);
			assertThat(restarted.read(5).lease().horizon()).isEqualTo(NOW + 10);
		}
		finally {
			Locale.setDefault(before);
		}
	}

	@Test
	void open_rejectsAFileThatAnotherMachineWrote() {
		create(held("a", NOW + 10));
		this.store.close();
		assertRefused(create(this.directory, 5, new Machine("web-2", "10.0.0.2", "boot-1")), path().toString(),
				"may be a copy", "web-1", "web-2", "10.0.0.1", "10.0.0.2");
		// the refused store has released the file
		this.store.open(LAYOUT);
		assertThat(this.store.read(5)).isNotNull();
	}

	@Test
	void open_rejectsADamagedFile() throws IOException {
		create(held("a", NOW + 10));
		this.store.close();
		Files.writeString(path(), "workerID=5");
		assertRefused(this.store, path().toString(), "is damaged", "delete the file",
				"only after the clock has passed the time in the highest ID issued", "leaf.snowflake.worker.id");
		assertThat(path()).hasContent("workerID=5");
		Files.delete(path());
		this.store.open(LAYOUT);
		assertThat(this.store.newWorkerId(Set.of())).isEqualTo(OptionalLong.of(5));
	}

	@Test
	void open_rejectsAFileInPlaceOfTheDirectory() throws IOException {
		Path file = Files.createFile(this.directory.resolve("file"));
		assertRefused(create(file, 5, HERE), file.toString(), "is not a directory", "Set leaf.snowflake.state-dir");
	}

	@Test
	void open_mayBeCalledAgainWithTheRightLayout() {
		create(held("a", NOW + 10));
		WorkerLeaseStore restarted = restart();
		assertThatExceptionOfType(WorkerLeaseStoreException.class)
			.isThrownBy(() -> restarted.open(SnowflakeLayout.JS_SAFE));
		restarted.open(LAYOUT);
		assertThat(restarted.read(5)).isNotNull();
	}

	@Test
	void aFileThatWasDeletedWhileInUseIsRestored() throws IOException {
		create(held("a", NOW + 10));
		Files.delete(path());
		assertThat(this.store.write(5, this.store.read(5).version(), held("a", NOW + 20))).isTrue();
		WorkerLeaseStore restarted = restart();
		restarted.open(LAYOUT);
		assertThat(restarted.read(5).lease().horizon()).isEqualTo(NOW + 20);
	}

	@Test
	void aLockFileThatWasDeletedWhileInUseCausesARefusal() throws IOException {
		create(held("a", NOW + 10));
		long version = this.store.read(5).version();
		Files.delete(lock(path()));
		assertThatExceptionOfType(WorkerLeaseStoreException.class)
			.isThrownBy(() -> this.store.write(5, version, held("a", NOW + 20)))
			.withMessageContainingAll(lock(path()).toString(), "may have been deleted or replaced",
					"worker ID 5 may issue the same IDs")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
	}

	@Test
	void aStoreThatIsNotOpenCannotBeUsed() {
		this.store.close();
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> this.store.readAll())
			.withMessageContaining("is not open");
	}

	@Test
	void aReadAfterAFailedWriteReturnsTheActualContent() {
		SimulatedDisk disk = new SimulatedDisk();
		WorkerLeaseStore process = new FileWorkerLeaseStore(this.directory, "orders", 5, HERE, disk);
		process.open(LAYOUT);
		disk.fail(SimulatedDisk.Failure.NOT_WRITTEN);
		assertFails(process, WorkerLeaseStore.ABSENT, held("a", NOW + 10));
		assertThat(process.read(5)).isNull();
		disk.fail(SimulatedDisk.Failure.NOT_FORCED);
		assertFails(process, WorkerLeaseStore.ABSENT, held("a", NOW + 10));
		assertThat(process.write(5, WorkerLeaseStore.ABSENT, held("a", NOW + 10))).isFalse();
		LeaseRecord record = process.read(5);
		assertThat(record.lease()).isEqualTo(held("a", NOW + 10));
		disk.powerFailure();
		WorkerLeaseStore restarted = new FileWorkerLeaseStore(this.directory, "orders", 5, HERE, disk);
		restarted.open(LAYOUT);
		assertThat(restarted.read(5).lease())
			.isEqualTo(new Lease(Lease.NO_OWNER, NOW + 10, "10.0.0.1:8080", NOW, NOW, record.version()));
	}

	private static void assertFails(WorkerLeaseStore process, long version, Lease lease) {
		assertThatExceptionOfType(WorkerLeaseStoreException.class).isThrownBy(() -> process.write(5, version, lease))
			.withMessageContainingAll("worker-5.state could not be written", "No space left on device",
					"leaf.snowflake.state-dir")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isFalse());
	}

}
