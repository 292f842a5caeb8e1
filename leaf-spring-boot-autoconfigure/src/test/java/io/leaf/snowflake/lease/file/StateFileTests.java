// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.file.SimulatedDisk.Failure;
import io.leaf.snowflake.lease.file.StateFile.Reason;
import io.leaf.snowflake.lease.file.StateFile.StateFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StateFileTests {

	private static final Machine HERE = new Machine("web-1", "10.0.0.1", "boot-1");

	private static final String STORE = "zookeeper zk1:2181/snowflake/orders";

	private static final int NOTHING = 0;

	private final SimulatedDisk disk = new SimulatedDisk();

	private StateFile create(String purpose, Machine machine, boolean outlivesBoot) {
		return new StateFile(Path.of("/state"), Path.of("lease.state"), purpose, machine, outlivesBoot, (ex) -> ex,
				this.disk);
	}

	private StateFile create(String purpose, Machine machine) {
		return create(purpose, machine, false);
	}

	private StateFile open() throws IOException {
		StateFile file = create("leaf.name=orders", HERE);
		file.open(SnowflakeLayout.LEAF, STORE);
		return file;
	}

	private static void save(StateFile file, int value) throws IOException {
		file.save(Map.of("value", Integer.toString(value)));
	}

	private static int load(StateFile file) throws IOException {
		Map<String, String> values = file.load();
		return values.isEmpty() ? NOTHING : (int) file.number(values, "value", Integer.MAX_VALUE);
	}

	private String content() {
		return new String(this.disk.disk, StandardCharsets.UTF_8);
	}

	@Test
	void savedValuesAreLoaded() throws IOException {
		StateFile file = open();
		assertThat(load(file)).isEqualTo(NOTHING);
		for (int value = 1; value < 5; value++) {
			save(file, value);
			assertThat(load(file)).isEqualTo(value);
			assertThat(load(open())).isEqualTo(value);
			this.disk.powerFailure();
			assertThat(load(open())).isEqualTo(value);
		}
	}

	@Test
	void theFileIsReadableText() throws IOException {
		StateFile file = open();
		assertThat(content()).matches("crc32c=[0-9a-f]{8}\nformat=2\n");
		file.save(Map.of("value", "100 %\n"));
		assertThat(content()).matches("crc32c=[0-9a-f]{8}\n(?s).*").contains("""
				format=2
				purpose=leaf.name=orders
				label=10.0.0.1
				host-name=web-1
				boot-id=boot-1
				change-time=2026-11-18T11:06:40.01Z
				device=1
				inode=7
				store=zookeeper zk1:2181/snowflake/orders
				layout=%s
				value=100 %%25%%0A
				""".formatted(SnowflakeLayout.LEAF));
		assertThat(open().load()).containsEntry("value", "100 %\n");
	}

	@Test
	void aClearedFileIsEmpty() throws IOException {
		StateFile file = open();
		file.save(Map.of("value", "1", "secret", "xyzzy"));
		file.save(Map.of());
		assertThat(load(file)).isEqualTo(NOTHING);
		assertThat(load(open())).isEqualTo(NOTHING);
		assertThat(content()).doesNotContain("xyzzy");
		save(file, 2);
		assertThat(load(open())).isEqualTo(2);
	}

	@ParameterizedTest
	@EnumSource
	void aFailedWriteLeavesTheOldOrTheNewContent(Failure failure) throws IOException {
		StateFile file = open();
		save(file, 1);
		this.disk.fail(failure);
		assertFails(file, 2);
		assertThat(load(file)).isEqualTo((failure == Failure.NOT_WRITTEN) ? 1 : 2);
		save(file, 3);
		assertThat(load(open())).isEqualTo(3);
	}

	private static void assertFails(StateFile file, int value) {
		assertThatExceptionOfType(StateFileException.class).isThrownBy(() -> save(file, value))
			.withMessageContainingAll("/state/lease.state", "could not be written", "No space left on device")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.FAILED));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x", "workerID=3", "crc32c=00000000\nformat=2\nvalue=1\n" })
	void aFileWithOtherContentIsDamaged(String content) throws IOException {
		this.disk.pageCache = content.getBytes(StandardCharsets.UTF_8);
		assertDamaged("is damaged");
		assertThat(this.disk.pageCache).asString(StandardCharsets.UTF_8).isEqualTo(content);
		StateFile file = open();
		save(file, 1);
		assertThat(load(file)).isEqualTo(1);
		this.disk.powerFailure();
		assertThat(load(open())).isEqualTo(1);
	}

	private void assertDamaged(String message) throws IOException {
		StateFile file = open();
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load)
			.withMessageContainingAll("/state/lease.state", message)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.DAMAGED));
		assertThat(file.unchecked()).isEmpty();
	}

	// the earlier format has two slots, each with a checksum
	@Test
	void aFileOfAnEarlierFormatIsRefusedAndNotMisread() throws IOException {
		String slot = "crc32c=01234567\nformat=1\nsequence=7\npurpose=leaf.name=orders\nhost-name=web-1\nvalue=1\n";
		String filled = slot + " ".repeat(4095 - slot.length()) + "\n";
		this.disk.pageCache = (filled + filled).getBytes(StandardCharsets.UTF_8);
		assertDamaged("its format is '1', but this version of Leaf reads '2'");
	}

	@Test
	void anInvalidNumberIsReportedAsDamage() throws IOException {
		StateFile file = open();
		file.save(Map.of("value", "x"));
		assertThatExceptionOfType(StateFileException.class).isThrownBy(() -> load(file))
			.withMessageContainingAll("/state/lease.state", "value is 'x'")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.DAMAGED));
	}

	@Test
	void contentThatAProcessLeftInThePageCacheIsOnDiskOnceItWasRead() throws IOException {
		StateFile file = open();
		save(file, 1);
		this.disk.fail(Failure.NOT_FORCED);
		assertFails(file, 2);
		// the process is killed here
		assertThat(load(open())).isEqualTo(2);
		this.disk.powerFailure();
		assertThat(load(open())).isEqualTo(2);
	}

	@Test
	void contentThatAFailedWriteLeftInThePageCacheIsOnDiskOnceItWasRead() throws IOException {
		StateFile file = open();
		save(file, 1);
		this.disk.fail(Failure.NOT_FORCED);
		assertFails(file, 2);
		assertThat(load(file)).isEqualTo(2);
		this.disk.powerFailure();
		assertThat(load(open())).isEqualTo(2);
	}

	@Test
	void aReadThatCannotWriteTheContentToDiskFails() throws IOException {
		StateFile file = open();
		save(file, 1);
		this.disk.fail(Failure.NOT_FORCED);
		assertFails(file, 2);
		this.disk.fail(Failure.NOT_FORCED);
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load)
			.withMessageContaining("could not be read");
		this.disk.fail(Failure.NOT_WRITTEN);
		assertThatExceptionOfType(StateFileException.class).isThrownBy(this::open)
			.withMessageContaining("could not be read");
		this.disk.powerFailure();
		assertThat(load(open())).isEqualTo(1);
	}

	/**
	 * Content that a save or a load has confirmed is never lost, and nothing is damaged,
	 * no matter which writes fail and when the process or the machine stops.
	 */
	@Test
	void confirmedContentIsNeverLost() throws IOException {
		int failures = 0;
		int deaths = 0;
		int seeds = Boolean.getBoolean("leaf.test.full") ? 1500 : 600;
		for (int seed = 0; seed < seeds; seed++) {
			Random random = new Random(seed);
			this.disk.pageCache = this.disk.disk = null;
			StateFile file = null;
			int confirmed = NOTHING;
			int attempted = NOTHING;
			for (int step = 0; step < 40; step++) {
				this.disk.fail((random.nextInt(2 + seed % 3) == 0) ? Failure.values()[random.nextInt(2)] : null);
				try {
					if (file == null) {
						file = open();
					}
					switch (random.nextInt(5)) {
						case 0 -> {
							file = null;
							deaths++;
						}
						case 1 -> {
							file = null;
							deaths++;
							this.disk.powerFailure();
						}
						case 2 -> this.disk.writeBack();
						case 3 -> {
							int loaded = load(file);
							assertThat(loaded).as("seed %d, step %d", seed, step).isBetween(confirmed, attempted);
							confirmed = loaded;
						}
						default -> {
							save(file, ++attempted);
							confirmed = attempted;
						}
					}
				}
				catch (StateFileException ex) {
					assertThat(ex.reason()).as("seed %d, step %d", seed, step).isEqualTo(Reason.FAILED);
					failures++;
				}
			}
		}
		assertThat(failures).isGreaterThan(seeds / 3);
		assertThat(deaths).isGreaterThan(seeds / 3);
	}

	@Test
	void aFileThatWasWrittenElsewhereMayBeACopy() throws IOException {
		save(open(), 1);
		assertCopied(create("leaf.name=orders", new Machine("web-2", "10.0.0.1", "boot-1")),
				"host-name is 'web-2', but 'web-1' is recorded");
		assertCopied(create("leaf.name=orders", new Machine("web-1", "10.0.0.2", "boot-1")),
				"label is '10.0.0.2', but '10.0.0.1' is recorded");
		assertCopied(create("leaf.name=orders", new Machine("web-1", "10.0.0.1", "boot-2")),
				"boot-id is 'boot-2', but 'boot-1' is recorded");
		assertCopied(create("leaf.name=Orders", HERE),
				"purpose is 'leaf.name=Orders', but 'leaf.name=orders' is recorded");
	}

	@ParameterizedTest
	@ValueSource(strings = { "device", "inode", "change-time" })
	void aFileNextToAnotherLockFileMayBeACopy(String field) throws IOException {
		save(open(), 1);
		String recorded = this.disk.identity.put(field, "x");
		String difference = "%s is 'x', but '%s' is recorded".formatted(field, recorded);
		assertCopied(create("leaf.name=orders", HERE), difference);
		StateFile elsewhere = create("leaf.name=orders", new Machine("web-2", "10.0.0.1", "boot-1"));
		assertCopied(elsewhere, "host-name is 'web-2', but 'web-1' is recorded; " + difference);
		assertThat(elsewhere.unchecked()).containsEntry("value", "1");
		save(elsewhere, 2);
		assertThat(load(elsewhere)).isEqualTo(2);
	}

	private static void assertCopied(StateFile file, String difference) throws IOException {
		file.open(SnowflakeLayout.LEAF, STORE);
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load)
			.withMessage("The state file /state/lease.state may be a copy: " + difference)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.COPIED));
	}

	// a reboot may change the device number, but not the other properties of the file
	// system
	@Test
	void aFileThatOutlivesABootComparesNoBootIdAndTheDeviceOnlyWithinABoot() throws IOException {
		StateFile before = create("leaf.name=orders", HERE, true);
		before.open(SnowflakeLayout.LEAF, STORE);
		save(before, 1);
		this.disk.identity.put("device", "2");
		assertCopied(create("leaf.name=orders", HERE, true), "device is '2', but '1' is recorded");
		Machine rebooted = new Machine("web-1", "10.0.0.1", "boot-2");
		StateFile after = create("leaf.name=orders", rebooted, true);
		after.open(SnowflakeLayout.LEAF, STORE);
		assertThat(load(after)).isEqualTo(1);
		this.disk.identity.put("change-time", "x");
		assertCopied(create("leaf.name=orders", rebooted, true),
				"change-time is 'x', but '2026-11-18T11:06:40.01Z' is recorded");
		this.disk.identity.put("inode", "y");
		assertCopied(create("leaf.name=orders", rebooted, true),
				"change-time is 'x', but '2026-11-18T11:06:40.01Z' is recorded; inode is 'y', but '7' is recorded");
	}

	@Test
	void withoutABootIdAFileThatOutlivesABootComparesNoDevice() throws IOException {
		Machine machine = new Machine("web-1", "10.0.0.1", "");
		StateFile before = create("leaf.name=orders", machine, true);
		before.open(SnowflakeLayout.LEAF, STORE);
		save(before, 1);
		this.disk.identity.put("device", "2");
		StateFile after = create("leaf.name=orders", machine, true);
		after.open(SnowflakeLayout.LEAF, STORE);
		assertThat(load(after)).isEqualTo(1);
		assertCopied(create("leaf.name=orders", machine), "device is '2', but '1' is recorded");
	}

	@Test
	void aFileOfAnotherStoreIsRefused() throws IOException {
		save(open(), 1);
		StateFile file = create("leaf.name=orders", HERE);
		file.open(SnowflakeLayout.LEAF, "zookeeper zk2:2181/snowflake/orders");
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load)
			.withMessage(
					"The state file /state/lease.state belongs to another store: store is 'zookeeper zk2:2181/snowflake/orders', but 'zookeeper zk1:2181/snowflake/orders' is recorded")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.OTHER_STORE));
		save(file, 2);
		assertThat(load(file)).isEqualTo(2);
	}

	@Test
	void aCopyOfAClearedFileIsEmpty() throws IOException {
		StateFile file = open();
		save(file, 1);
		file.save(Map.of());
		this.disk.identity.put("inode", "8");
		assertThat(load(open())).isEqualTo(NOTHING);
	}

	@Test
	void aFileOfAnotherLayoutIsRefused() throws IOException {
		save(open(), 1);
		StateFile file = create("leaf.name=orders", HERE);
		file.open(SnowflakeLayout.JS_SAFE, STORE);
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load)
			.withMessageContainingAll("/state/lease.state", SnowflakeLayout.LEAF.toString(),
					"the layout of this process is '%s'".formatted(SnowflakeLayout.JS_SAFE))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.OTHER_LAYOUT));
		save(file, 2);
		assertThat(load(file)).isEqualTo(2);
	}

	@Test
	void aFileThatIsNotOpenCannotBeUsed() throws IOException {
		StateFile file = create("leaf.name=orders", HERE);
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load).withMessageContaining("is not open");
		file.open(SnowflakeLayout.LEAF, STORE);
		save(file, 1);
		file.close();
		file.close();
		assertThat(file.isOpen()).isFalse();
		assertThatExceptionOfType(StateFileException.class).isThrownBy(() -> save(file, 2))
			.withMessageContaining("is not open");
		file.open(SnowflakeLayout.LEAF, STORE);
		assertThat(load(file)).isEqualTo(1);
	}

}
