// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.leaf.snowflake.lease.file.StateFile.Reason;
import io.leaf.snowflake.lease.file.StateFile.StateFileException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LockedFileTests {

	private static final byte[] BYTES = "some bytes".getBytes(StandardCharsets.UTF_8);

	@TempDir
	private Path directory;

	private final List<LockedFile> opened = new ArrayList<>();

	@AfterEach
	void close() {
		this.opened.forEach(LockedFile::close);
	}

	// the file that the other process uses
	private Path path() {
		return this.directory.resolve("orders").resolve("worker-5.state");
	}

	private LockedFile open() throws StateFileException {
		LockedFile file = LockedFile.open(this.directory, path());
		this.opened.add(file);
		return file;
	}

	private void assertRefused(Reason reason, String... message) {
		assertThatExceptionOfType(StateFileException.class).isThrownBy(this::open)
			.withMessageContaining(path().toString())
			.withMessageContainingAll(message)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(reason));
	}

	private void assertLockedForOtherProcesses() throws IOException {
		try (OtherProcess other = OtherProcess.start(this.directory)) {
			assertThat(other.answer()).contains("is in use");
		}
	}

	@Test
	void open_createsTheFileAndItsDirectories() throws IOException {
		LockedFile file = open();
		assertThat(file.read(100)).isNull();
		file.replace(BYTES);
		assertThat(file.read(100)).isEqualTo(BYTES);
		assertThat(file.read(4)).isEqualTo("some".getBytes(StandardCharsets.UTF_8));
		assertThat(path()).hasBinaryContent(BYTES);
		assertThat(path().resolveSibling("worker-5.tmp")).doesNotExist();
	}

	@Test
	void open_restrictsAccessToTheOwner() throws IOException {
		open().replace(BYTES);
		assertThat(Files.getPosixFilePermissions(path())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
		assertThat(Files.getPosixFilePermissions(lock())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
		assertThat(Files.getPosixFilePermissions(path().getParent()))
			.isEqualTo(PosixFilePermissions.fromString("rwx------"));
	}

	@Test
	void open_refusesAFileThatIsInUse() throws IOException {
		LockedFile file = open();
		assertRefused(Reason.IN_USE, "is in use");
		assertRefused(Reason.IN_USE, "is in use");
		file.close();
		file.close();
		open();
	}

	@Test
	void open_refusesAFileThatIsInUseUnderAnotherName() throws IOException {
		open();
		Path link = Files.createSymbolicLink(this.directory.resolve("link"), this.directory);
		assertThatExceptionOfType(StateFileException.class)
			.isThrownBy(() -> LockedFile.open(link, link.resolve("orders").resolve("worker-5.state")))
			.withMessageContaining("is in use");
		assertLockedForOtherProcesses();
	}

	@Test
	void open_refusesAFileThatAnotherProcessUses() throws IOException {
		try (OtherProcess other = OtherProcess.start(this.directory)) {
			assertThat(other.answer()).isEqualTo("holds it");
			assertRefused(Reason.IN_USE, "is in use");
			assertRefused(Reason.IN_USE, "is in use");
		}
		open();
	}

	@Test
	void theLockOutlivesAttemptsToTakeIt() throws IOException {
		open();
		assertRefused(Reason.IN_USE, "is in use");
		assertLockedForOtherProcesses();
	}

	@Test
	void theLockOutlivesAttemptsToTakeItFromAnotherClassLoader() throws Exception {
		open();
		try (URLClassLoader other = new URLClassLoader(OtherProcess.classPath().toArray(URL[]::new),
				ClassLoader.getPlatformClassLoader())) {
			Method open = other.loadClass(LockedFile.class.getName()).getDeclaredMethod("open", Path.class, Path.class);
			open.setAccessible(true);
			assertThatExceptionOfType(InvocationTargetException.class)
				.isThrownBy(() -> open.invoke(null, this.directory, path()))
				.havingCause()
				.withMessageContaining("is in use");
			assertLockedForOtherProcesses();
		}
	}

	@Test
	void theLockOutlivesAnInterrupt() throws IOException {
		LockedFile file = open();
		Thread.currentThread().interrupt();
		try {
			file.replace(BYTES);
			assertThat(file.read(100)).isEqualTo(BYTES);
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
		assertLockedForOtherProcesses();
	}

	@Test
	void theLockIsReleasedWhenTheOtherProcessEnds() throws IOException {
		open().close();
		try (OtherProcess other = OtherProcess.start(this.directory)) {
			assertThat(other.answer()).isEqualTo("holds it");
		}
		open();
	}

	@Test
	void aFileInPlaceOfADirectoryIsNamed() throws IOException {
		Files.createFile(path().getParent());
		assertRefused(Reason.UNUSABLE, "%s is not a directory".formatted(path().getParent()));
	}

	@Test
	void aFileInPlaceOfADirectoryFurtherUpIsNamed() throws IOException {
		Path file = Files.createFile(this.directory.resolve("file"));
		Path path = file.resolve("orders").resolve("worker-5.state");
		assertThatExceptionOfType(StateFileException.class).isThrownBy(() -> LockedFile.open(this.directory, path))
			.withMessageContainingAll(path.toString(), "%s is not a directory".formatted(file));
	}

	@Test
	void aDirectoryInPlaceOfTheFileIsNamed() throws IOException {
		open().close();
		Files.createDirectory(path());
		assertRefused(Reason.UNUSABLE, "but a directory");
		Files.delete(path());
		open();
	}

	@Test
	void replace_noticesThatTheLockFileWasDeleted() throws IOException {
		LockedFile file = open();
		Files.delete(lock());
		assertThatExceptionOfType(StateFileException.class).isThrownBy(() -> file.replace(BYTES))
			.withMessageContainingAll(lock().toString(), "may have been deleted or replaced while in use")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.REPLACED));
		assertThat(path()).doesNotExist();
	}

	@Test
	void replace_noticesThatTheLockFileWasReplaced() throws IOException {
		LockedFile file = open();
		Files.delete(lock());
		LockedFile next = open();
		next.replace(BYTES);
		String found = next.identity().get("inode");
		assertThatExceptionOfType(StateFileException.class).isThrownBy(() -> file.replace(new byte[1]))
			.withMessageContainingAll(lock().toString(), "inode=" + found)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.REPLACED));
		assertThat(path()).hasBinaryContent(BYTES);
	}

	// a backup or the mounting of a volume may touch the file
	@Test
	void aLockFileThatWasTouchedIsStillAccepted() throws IOException {
		LockedFile file = open();
		String before = file.identity().get("change-time");
		Files.setLastModifiedTime(lock(), FileTime.fromMillis(0));
		file.replace(BYTES);
		assertThat(file.identity().get("change-time")).isNotEqualTo(before);
	}

	// systemd-tmpfiles deletes files that have not changed for days, even those in use
	@Test
	void aLockFileNeverLooksOld() throws IOException {
		open().close();
		Instant inYears = Instant.now().plus(3650, ChronoUnit.DAYS);
		assertThat(Files.getLastModifiedTime(lock()).toInstant()).isAfter(inYears);
	}

	// formerly, such a file was treated as missing, and an empty one was created in its
	// place
	@Test
	void aFileThatCannotBeExaminedIsNotTreatedAsMissing() {
		String tooLong = "a".repeat(250);
		assertThatExceptionOfType(StateFileException.class)
			.isThrownBy(
					() -> this.opened.add(LockedFile.open(this.directory, this.directory.resolve(tooLong + ".state"))))
			.withMessageContaining("File name too long")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.UNUSABLE));
	}

	private Path lock() {
		return path().resolveSibling("worker-5.lock");
	}

	@Test
	void identity_isThatOfTheLockFileAndDoesNotChange() throws IOException {
		LockedFile file = open();
		Map<String, String> identity = file.identity();
		assertThat(identity).isEqualTo(Map.of("device", Files.getAttribute(lock(), "unix:dev").toString(), "inode",
				Files.getAttribute(lock(), "unix:ino").toString(), "change-time",
				Files.getAttribute(lock(), "unix:ctime").toString()));
		file.replace(BYTES);
		file.replace(new byte[1]);
		file.close();
		assertThat(open().identity()).isEqualTo(identity);
	}

}
