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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;

import io.leaf.Garbage;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.LeaseMemoryException;
import io.leaf.snowflake.lease.LeaseRegister;
import io.leaf.snowflake.lease.RememberedLease;
import io.leaf.snowflake.lease.WorkerLease;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.snowflake.lease.file.StateFileException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

/**
 * A state file with garbage in it: it yields what was saved last, or nothing.
 */
class GarbageStateFileTests {

	private static final Machine HERE = new Machine("web-1", "10.0.0.1");

	private static final Path DIRECTORY = Path.of("/state");

	private static final long NOW = 1_795_000_000_000L;

	private static final int CASES = Boolean.getBoolean("leaf.test.full") ? 20_000 : 4_000;

	private final SimulatedDisk disk = new SimulatedDisk();

	private StateFile open() throws IOException {
		StateFile file = new StateFile(DIRECTORY.resolve("lease.state"), "leaf.name=orders", HERE, this.disk);
		file.open(SnowflakeLayout.LEAF);
		return file;
	}

	private byte[] saved() throws IOException {
		StateFile file = open();
		file.save(Map.of("horizon", Long.toString(NOW)));
		file.save(Map.of("horizon", Long.toString(NOW + 1)));
		return this.disk.disk.clone();
	}

	// what is loaded, "nothing" or "damaged"
	private String load(byte[] content) throws IOException {
		this.disk.memory = content.clone();
		StateFile file = open();
		try {
			return file.load().getOrDefault("horizon", "nothing");
		}
		catch (StateFileException ex) {
			assertThat(ex.reason()).isEqualTo(Reason.DAMAGED);
			assertThat(ex).hasMessageContainingAll("/state/lease.state", "is damaged");
			// nobody knows what may yet be read out of it
			assertThat(this.disk.memory).isEqualTo(content);
			return "damaged";
		}
	}

	@Test
	void noFlippedBitLosesAnything() throws IOException {
		byte[] whole = saved();
		int stride = Boolean.getBoolean("leaf.test.full") ? 1 : 5;
		for (int bit = 0; bit < 8 * whole.length; bit += stride) {
			byte[] flipped = whole.clone();
			flipped[bit / 8] ^= (byte) (1 << (bit % 8));
			if (!load(flipped).equals(Long.toString(NOW + 1))) {
				fail("bit %d", bit);
			}
		}
	}

	@Test
	void aBitFlippedInEachCopyIsDamage() throws IOException {
		byte[] whole = saved();
		Garbage garbage = new Garbage("Two flipped bits");
		for (int i = 0; i < CASES; i++) {
			byte[] flipped = whole.clone();
			flipped[garbage.random().nextInt(Slot.SIZE)] ^= (byte) (1 << garbage.random().nextInt(8));
			flipped[Slot.SIZE + garbage.random().nextInt(Slot.SIZE)] ^= (byte) (1 << garbage.random().nextInt(8));
			assertThat(load(flipped)).as("number %d", i).isEqualTo("damaged");
		}
	}

	@Test
	void garbageYieldsWhatWasSavedLastOrIsDamage() throws IOException {
		byte[] whole = saved();
		Garbage garbage = new Garbage("State files");
		Map<String, Integer> outcomes = new HashMap<>();
		for (int i = 0; i < CASES; i++) {
			byte[] content = garbage.of(whole);
			if (garbage.random().nextBoolean()) {
				content = garbage.of(Arrays.copyOf(content, Math.max(1, content.length)));
			}
			String loaded = load(content);
			if (loaded.equals("nothing")) {
				// as a new file: no byte of what was saved is left
				assertThat(new String(content, StandardCharsets.ISO_8859_1)).as("number %d", i)
					.matches("\0*|c?r?c?3?2?c?=?\0*");
			}
			outcomes.merge(loaded, 1, Integer::sum);
		}
		System.out.println("State files that hold garbage: " + outcomes);
		assertThat(outcomes).containsKeys("damaged", Long.toString(NOW + 1))
			.doesNotContainKey(Long.toString(NOW))
			.hasSizeLessThanOrEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void aFileCutOffWhileItWasWrittenYieldsOneOfTheTwoOrIsDamage(boolean secondFirst) throws IOException {
		byte[] whole = saved();
		StateFile file = open();
		if (secondFirst) {
			file.save(Map.of("horizon", Long.toString(NOW + 1)));
		}
		this.disk.failWrite(1, 0, SimulatedDisk.ALL_SECTORS);
		assertThatExceptionOfType(StateFileException.class)
			.isThrownBy(() -> file.save(Map.of("horizon", Long.toString(NOW + 2))));
		byte[] halfWritten = this.disk.disk.clone();
		assertThat(halfWritten).isNotEqualTo(whole);
		for (int length = Slot.SIZE; length <= halfWritten.length; length++) {
			// the second of the two was never confirmed, so either will do
			assertThat(load(Arrays.copyOf(halfWritten, length))).as("%d bytes", length)
				.isIn(Long.toString(NOW + 1), Long.toString(NOW + 2));
		}
		for (int length = "crc32c=0".length(); length < Slot.SIZE; length++) {
			assertThat(load(Arrays.copyOf(halfWritten, length))).as("%d bytes", length).isEqualTo("damaged");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "format=2\nsequence=7\n", "format=\nsequence=7\n", "sequence=7\n", "format=1\n",
			"format=1\nsequence=-7\n", "format=1\nsequence=9223372036854775808\n", "", "\0\0\0", "=\n=\n", "\u00e9" })
	void contentOfAnotherVersionIsDamageHoweverWhole(String content) throws IOException {
		byte[] slot = slot(content + "horizon=" + NOW + "\n");
		assertThat(load(ByteBuffer.allocate(2 * Slot.SIZE).put(slot).put(slot).array())).isEqualTo("damaged");
		assertThatExceptionOfType(StateFileException.class).isThrownBy(open()::load)
			.withMessageContaining("neither of its two copies is whole and of format 1");
	}

	private static byte[] slot(String content) {
		byte[] text = content.getBytes(StandardCharsets.UTF_8);
		byte[] filled = Arrays.copyOf(text, Slot.SIZE - "crc32c=00000000\n".length());
		Arrays.fill(filled, text.length, filled.length, (byte) ' ');
		CRC32C checksum = new CRC32C();
		checksum.update(filled);
		return ("crc32c=%08x\n".formatted(checksum.getValue()) + new String(filled, StandardCharsets.ISO_8859_1))
			.getBytes(StandardCharsets.ISO_8859_1);
	}

	// the largest sequence number that is read, and a name that grows as it is written
	@ParameterizedTest
	@ValueSource(strings = { "sequence=999999999999999999\nhorizon=7\n", "sequence=7\nhorizon=7\nhorizon=\n",
			"sequence=7\nhorizon=%%%%%%%%%%%%%%%%%%%%%%%%\n" })
	void wholeContentThatNobodyWouldWriteIsReadOrRefused(String content) throws IOException {
		byte[] slot = slot("format=1\n" + content);
		this.disk.memory = ByteBuffer.allocate(2 * Slot.SIZE).put(slot).put(slot).array();
		StateFile file = open();
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load)
			.withMessageContaining("may be a copy");
		file.save(Map.of("horizon", "8"));
		assertThat(file.load()).containsEntry("horizon", "8");
	}

	/**
	 * Values that cannot be are damage, also where the checksum is right.
	 */
	@Test
	void aMemoryWithGarbageValuesIsRefused() throws IOException {
		Garbage garbage = new Garbage("Remembered leases");
		int refused = 0;
		for (int i = 0; i < CASES; i++) {
			Map<String, String> values = new HashMap<>(Map.of("worker-id", "3", "owner", "claim-1", "horizon",
					Long.toString(NOW + 10), "reserved-until", Long.toString(NOW)));
			spoil(values, garbage);
			FileLeaseMemory memory = new FileLeaseMemory(DIRECTORY, "orders", "8080", HERE, saved(values, "8080"));
			memory.open(SnowflakeLayout.LEAF);
			try {
				RememberedLease lease = memory.load();
				assertThat(lease.workerId()).as("%s", values).isBetween(0L, 1023L);
				assertThat(lease.owner()).isNotEmpty();
				assertThat(lease.horizon()).as("%s", values).isBetween(0L, WorkerLease.MAX_TIME);
				assertThat(lease.reservedUntil()).as("%s", values).isBetween(0L, lease.horizon());
			}
			catch (LeaseMemoryException ex) {
				assertThat(ex).hasMessageContainingAll("/state/orders/8080/lease.state", "is damaged",
						"will be written anew");
				refused++;
			}
		}
		assertThat(refused).isBetween(CASES / 4, CASES - 1);
	}

	@Test
	void aRegisterWithGarbageValuesIsRefused() throws IOException {
		Garbage garbage = new Garbage("Registers in files");
		int refused = 0;
		for (int i = 0; i < CASES; i++) {
			Map<String, String> values = new HashMap<>(Map.of("version", "3", "owner", "claim-1", "horizon",
					Long.toString(NOW), "host", "10.0.0.1:8080", "since", "1", "reported", "2"));
			spoil(values, garbage);
			FileWorkerLeaseStore store = new FileWorkerLeaseStore(DIRECTORY, "orders", 5, HERE, saved(values, null));
			try {
				store.open(SnowflakeLayout.LEAF);
				LeaseRegister register = store.read(5);
				long version = register.version();
				assertThat(register.lease().horizon()).as("%s", values).isBetween(0L, WorkerLease.MAX_TIME);
				assertThat(register.lease().reported()).as("%s", values).isBetween(0L, WorkerLease.MAX_TIME);
				assertThat(store.write(5, version, new WorkerLease("b", NOW + 10, "", NOW, NOW)).orElseThrow())
					.isGreaterThan(version);
			}
			catch (WorkerLeaseStoreException ex) {
				assertThat(ex).hasMessageContainingAll("/state/orders/worker-5.state", "is damaged", "delete the file");
				assertThat(ex.isRefusal()).isTrue();
				refused++;
			}
		}
		assertThat(refused).isBetween(CASES / 4, CASES - 1);
	}

	private static void spoil(Map<String, String> values, Garbage garbage) {
		String name = values.keySet().stream().sorted().skip(garbage.random().nextInt(values.size())).findFirst().get();
		if (garbage.random().nextInt(10) == 0) {
			values.remove(name);
		}
		else {
			values.put(name, garbage.number());
		}
	}

	private SimulatedDisk saved(Map<String, String> values, String port) throws IOException {
		this.disk.memory = new byte[0];
		String purpose = (port != null) ? "leaf.name=orders, leaf.snowflake.port=" + port
				: "leaf.name=orders, leaf.snowflake.worker.id=5";
		StateFile file = new StateFile(DIRECTORY, purpose, HERE, this.disk);
		file.open(SnowflakeLayout.LEAF);
		file.save(values);
		return this.disk;
	}

}
