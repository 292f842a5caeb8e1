/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.file.StateFileException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StateFileTests {

	private static final Machine HERE = new Machine("web-1", "10.0.0.1");

	private static final int NOTHING = 0;

	private static final int FILLER = 3300;

	private final SimulatedDisk disk = new SimulatedDisk();

	private StateFile create(String purpose, Machine machine) {
		return new StateFile(Path.of("/state/lease.state"), purpose, machine, this.disk);
	}

	private StateFile open() throws IOException {
		StateFile file = create("leaf.name=orders", HERE);
		file.open(SnowflakeLayout.LEAF);
		return file;
	}

	private static void save(StateFile file, int value) throws IOException {
		// reaches into each sector of the slot but the last
		file.save(Map.of("value", Integer.toString(value), "rest", Integer.toString(value % 10).repeat(FILLER)));
	}

	private static int load(StateFile file) throws IOException {
		Map<String, String> values = file.load();
		return values.isEmpty() ? NOTHING : (int) file.number(values, "value", Integer.MAX_VALUE);
	}

	@Test
	void whatWasSavedIsLoaded() throws IOException {
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
	void whatWasClearedIsNotThereAnyMore() throws IOException {
		StateFile file = open();
		file.save(Map.of("value", "1", "secret", "xyzzy"));
		file.save(Map.of());
		assertThat(load(file)).isEqualTo(NOTHING);
		assertThat(load(open())).isEqualTo(NOTHING);
		assertThat(new String(this.disk.disk, StandardCharsets.UTF_8)).doesNotContain("xyzzy");
		save(file, 2);
		assertThat(load(open())).isEqualTo(2);
	}

	@Test
	void aWriteThatBreaksOffAtAnyByteLeavesTheOldOrTheNew() throws IOException {
		for (int written = 0; written <= Slot.SIZE; written++) {
			this.disk.memory = this.disk.disk = new byte[0];
			StateFile file = open();
			save(file, 1);
			save(file, 2);
			this.disk.failWrite(0, written, SimulatedDisk.ALL_SECTORS);
			assertFails(file, 3);
			int left = load(file);
			assertThat(left).as("%d bytes", written).isIn(2, 3);
			if (written <= FILLER) {
				assertThat(left).isEqualTo(2);
			}
			if (written == Slot.SIZE) {
				assertThat(left).isEqualTo(3);
			}
			assertThat(load(open())).isEqualTo(left);
		}
	}

	@Test
	void aWriteThatBreaksOffOnceTheFirstSlotIsWrittenLeavesTheNew() throws IOException {
		for (int written = 0; written <= Slot.SIZE; written++) {
			this.disk.memory = this.disk.disk = new byte[0];
			StateFile file = open();
			save(file, 1);
			save(file, 2);
			this.disk.failWrite(1, written, SimulatedDisk.ALL_SECTORS);
			assertFails(file, 3);
			this.disk.powerFailure();
			assertThat(load(open())).as("%d bytes", written).isEqualTo(3);
		}
	}

	private static void assertFails(StateFile file, int value) {
		assertThatExceptionOfType(StateFileException.class).isThrownBy(() -> save(file, value))
			.withMessageContainingAll("/state/lease.state", "could not be written", "No space left on device")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.FAILED));
	}

	@Test
	void damageToEitherSlotLosesNothing() throws IOException {
		StateFile file = open();
		save(file, 1);
		save(file, 2);
		byte[] whole = this.disk.disk.clone();
		for (int i = 0; i < whole.length; i++) {
			this.disk.memory = whole.clone();
			this.disk.memory[i] ^= (byte) (1 << (i % 8));
			assertThat(load(open())).as("a bit of byte %d", i).isEqualTo(2);
			this.disk.memory = whole.clone();
			Arrays.fill(this.disk.memory, i, (i < Slot.SIZE) ? Slot.SIZE : whole.length, (byte) '#');
			assertThat(load(open())).as("all from byte %d on", i).isEqualTo(2);
		}
	}

	@Test
	void aFileThatWasCutOffIsReadOrRefused() throws IOException {
		StateFile file = open();
		save(file, 1);
		save(file, 2);
		byte[] whole = this.disk.disk.clone();
		for (int length = 1; length <= whole.length; length++) {
			this.disk.memory = Arrays.copyOf(whole, length);
			if (length <= "crc32c=".length()) {
				// as a file whose creation was broken off
				assertThat(load(open())).isEqualTo(NOTHING);
			}
			else if (length < Slot.SIZE) {
				assertDamaged();
			}
			else {
				assertThat(load(open())).as("%d bytes", length).isEqualTo(2);
			}
		}
	}

	@Test
	void aFileOfNothingHoldsNothing() throws IOException {
		for (int length : new int[] { 0, 1, 100, Slot.SIZE, Slot.SIZE + 1, 2 * Slot.SIZE }) {
			this.disk.memory = new byte[length];
			assertThat(load(open())).as("%d bytes", length).isEqualTo(NOTHING);
		}
	}

	@Test
	void aFileWhoseCreationWasBrokenOffHoldsNothing() throws IOException {
		for (int write = 0; write < 2; write++) {
			for (int written = 0; written <= Slot.SIZE; written++) {
				this.disk.memory = this.disk.disk = new byte[0];
				this.disk.failWrite(write, written, 0b10110101);
				assertThatExceptionOfType(StateFileException.class).isThrownBy(this::open);
				byte[] onDisk = this.disk.disk;
				assertThat(load(open())).isEqualTo(NOTHING);
				this.disk.memory = onDisk;
				assertThat(load(open())).as("%d bytes", written).isEqualTo(NOTHING);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "workerID=3", "crc32c=00000000\nformat=1\nsequence=1\nvalue=1\n" })
	void aFileOfSomethingElseIsDamaged(String content) throws IOException {
		this.disk.memory = content.getBytes(StandardCharsets.UTF_8);
		assertDamaged();
		assertThat(this.disk.memory).asString(StandardCharsets.UTF_8).isEqualTo(content);
		StateFile file = open();
		save(file, 1);
		assertThat(load(file)).isEqualTo(1);
		this.disk.powerFailure();
		assertThat(load(open())).isEqualTo(1);
	}

	private void assertDamaged() throws IOException {
		StateFile file = open();
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load)
			.withMessageContainingAll("/state/lease.state", "is damaged")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.DAMAGED));
		assertThat(file.unchecked()).isEmpty();
	}

	@Test
	void aNumberThatIsNoneIsDamage() throws IOException {
		StateFile file = open();
		file.save(Map.of("value", "x"));
		assertThatExceptionOfType(StateFileException.class).isThrownBy(() -> load(file))
			.withMessageContainingAll("/state/lease.state", "value is 'x'")
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.DAMAGED));
	}

	@Test
	void whatAProcessLeftInMemoryIsOnDiskOnceItWasRead() throws IOException {
		StateFile file = open();
		save(file, 1);
		this.disk.failWrite(0, Slot.SIZE, 0);
		assertFails(file, 2);
		// the process is killed here
		assertThat(load(open())).isEqualTo(2);
		this.disk.powerFailure();
		assertThat(load(open())).isEqualTo(2);
	}

	@Test
	void whatAFailedWriteLeftInMemoryIsOnDiskOnceItWasRead() throws IOException {
		StateFile file = open();
		save(file, 1);
		this.disk.failWrite(0, Slot.SIZE, 0);
		assertFails(file, 2);
		assertThat(load(file)).isEqualTo(2);
		this.disk.powerFailure();
		assertThat(load(open())).isEqualTo(2);
	}

	@Test
	void aReadThatCannotMakeCertainFails() throws IOException {
		StateFile file = open();
		save(file, 1);
		this.disk.failWrite(0, Slot.SIZE, 0b0101);
		assertFails(file, 2);
		this.disk.failWrite(0, Slot.SIZE, 0b0101);
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load)
			.withMessageContaining("could not be read");
		// the one that is on disk is still not touched first
		this.disk.failWrite(0, 2000, 0b0101);
		assertFails(file, 3);
		this.disk.powerFailure();
		assertThat(load(open())).isEqualTo(1);
	}

	/**
	 * What a save or a load has confirmed is never taken back, and nothing is damaged,
	 * whichever writes fail and whenever the process or the machine dies.
	 */
	@Test
	void nothingConfirmedIsEverTakenBack() throws IOException {
		int failures = 0;
		int deaths = 0;
		int seeds = Boolean.getBoolean("leaf.test.full") ? 3000 : 600;
		for (int seed = 0; seed < seeds; seed++) {
			Random random = new Random(seed);
			this.disk.memory = this.disk.disk = new byte[0];
			StateFile file = null;
			int confirmed = NOTHING;
			int attempted = NOTHING;
			for (int step = 0; step < 40; step++) {
				this.disk.failNoMore();
				if (random.nextInt(2 + seed % 3) == 0) {
					this.disk.failWrite(random.nextInt(2), random.nextBoolean() ? Slot.SIZE : random.nextInt(600),
							random.nextBoolean() ? 0 : random.nextInt(256));
				}
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
						case 2 -> this.disk.writeBack(random.nextLong());
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
	void whatWasWrittenElsewhereMayBeACopy() throws IOException {
		save(open(), 1);
		assertCopied(create("leaf.name=orders", new Machine("web-2", "10.0.0.1")),
				"host-name is 'web-2', and 'web-1' is recorded");
		assertCopied(create("leaf.name=orders", new Machine("web-1", "10.0.0.2")),
				"address is '10.0.0.2', and '10.0.0.1' is recorded");
		assertCopied(create("leaf.name=Orders", HERE),
				"purpose is 'leaf.name=Orders', and 'leaf.name=orders' is recorded");
		this.disk.identity = "(dev=1,ino=8)";
		assertCopied(create("leaf.name=orders", HERE), "file is '(dev=1,ino=8)', and '(dev=1,ino=7)' is recorded");
		StateFile elsewhere = create("leaf.name=orders", new Machine("web-2", "10.0.0.2"));
		assertCopied(elsewhere,
				"host-name is 'web-2', and 'web-1' is recorded; address is '10.0.0.2', and '10.0.0.1' is recorded; file is '(dev=1,ino=8)', and '(dev=1,ino=7)' is recorded");
		assertThat(elsewhere.unchecked()).containsEntry("value", "1");
		save(elsewhere, 2);
		assertThat(load(elsewhere)).isEqualTo(2);
	}

	private static void assertCopied(StateFile file, String difference) throws IOException {
		file.open(SnowflakeLayout.LEAF);
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load)
			.withMessage("The state file /state/lease.state may be a copy: " + difference)
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.COPIED));
	}

	@Test
	void aCopyOfAClearedFileHoldsNothing() throws IOException {
		StateFile file = open();
		save(file, 1);
		file.save(Map.of());
		this.disk.identity = "(dev=1,ino=8)";
		assertThat(load(open())).isEqualTo(NOTHING);
	}

	@Test
	void whatWasWrittenWithAnotherLayoutIsRefused() throws IOException {
		save(open(), 1);
		StateFile file = create("leaf.name=orders", HERE);
		file.open(SnowflakeLayout.JS_SAFE);
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load)
			.withMessageContainingAll("/state/lease.state", SnowflakeLayout.LEAF.toString(),
					"leaf.snowflake.layout is '%s'".formatted(SnowflakeLayout.JS_SAFE))
			.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(Reason.OTHER_LAYOUT));
		save(file, 2);
		assertThat(load(file)).isEqualTo(2);
	}

	@Test
	void aFileThatIsNotOpenIsNotUsed() throws IOException {
		StateFile file = create("leaf.name=orders", HERE);
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load).withMessageContaining("is not open");
		file.open(SnowflakeLayout.LEAF);
		save(file, 1);
		file.close();
		file.close();
		assertThat(file.isOpen()).isFalse();
		assertThatExceptionOfType(StateFileException.class).isThrownBy(() -> save(file, 2))
			.withMessageContaining("is not open");
		file.open(SnowflakeLayout.LEAF);
		assertThat(load(file)).isEqualTo(1);
	}

	@Test
	void aValueThatDoesNotFitIsRefusedAndChangesNothing() throws IOException {
		StateFile file = open();
		save(file, 1);
		assertThatExceptionOfType(StateFileException.class)
			.isThrownBy(() -> file.save(Map.of("value", "1".repeat(Slot.SIZE))))
			.withMessageContaining("too many for a state file");
		assertThat(load(file)).isEqualTo(1);
	}

}
