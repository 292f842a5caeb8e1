// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;

import io.leaf.Garbage;
import io.leaf.IdGenerationException;
import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.Lease;
import io.leaf.snowflake.lease.LeaseRecord;
import io.leaf.snowflake.lease.SavedLeaseStore.SavedLease;
import io.leaf.snowflake.lease.TestLeases;
import io.leaf.snowflake.lease.WorkerLeaseStoreException;
import io.leaf.snowflake.lease.file.StateFile.Reason;
import io.leaf.snowflake.lease.file.StateFile.StateFileException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests that a state file with garbage yields the content that was saved last, or is
 * reported as damaged.
 */
class GarbageStateFileTests {

	private static final Machine HERE = new Machine("web-1", "10.0.0.1", "boot-1");

	private static final String STORE = "jdbc:h2:mem:orders, table leaf_worker";

	private static final Path DIRECTORY = Path.of("/state");

	private static final long NOW = 1_795_000_000_000L;

	private static final int CASES = Boolean.getBoolean("leaf.test.full") ? 12_000 : 4_000;

	private final SimulatedDisk disk = new SimulatedDisk();

	private StateFile open() throws IOException {
		StateFile file = new StateFile(DIRECTORY, Path.of("lease.state"), "leaf.name=orders", HERE, false, (ex) -> ex,
				this.disk);
		file.open(SnowflakeLayout.LEAF, STORE);
		return file;
	}

	private byte[] saved() throws IOException {
		StateFile file = open();
		file.save(Map.of("horizon", Long.toString(NOW)));
		file.save(Map.of("horizon", Long.toString(NOW + 1)));
		return this.disk.disk.clone();
	}

	// returns the loaded content, "nothing" or "damaged"
	private String load(byte[] content) throws IOException {
		this.disk.pageCache = content.clone();
		StateFile file = open();
		try {
			return file.load().getOrDefault("horizon", "nothing");
		}
		catch (StateFileException ex) {
			assertThat(ex.reason()).isEqualTo(Reason.DAMAGED);
			assertThat(ex).hasMessageContainingAll("/state/lease.state", "is damaged");
			// loading does not change damaged content
			assertThat(this.disk.pageCache).isEqualTo(content);
			return "damaged";
		}
	}

	@Test
	void aFlippedBitIsReportedAsDamage() throws IOException {
		byte[] whole = saved();
		for (int bit = 0; bit < 8 * whole.length; bit++) {
			byte[] flipped = whole.clone();
			flipped[bit / 8] ^= (byte) (1 << (bit % 8));
			if (!load(flipped).equals("damaged")) {
				fail("bit %d", bit);
			}
		}
	}

	@Test
	void aTruncatedFileIsReportedAsDamaged() throws IOException {
		byte[] whole = saved();
		for (int length = 0; length < whole.length; length++) {
			assertThat(load(Arrays.copyOf(whole, length))).as("%d bytes", length).isEqualTo("damaged");
		}
	}

	// names that occur twice, have no value, or grow when they are written
	@ParameterizedTest
	@ValueSource(strings = { "horizon=7\nhorizon=\n", "horizon=7\nhorizon=%%%%%%%%%%%%%%%%%%%%%%%%\n", "=\n=\n", "\n\n",
			"\u00e9\0" })
	void completeButUnusualContentIsReadOrRefused(String content) throws IOException {
		String text = "format=2\nx=1\n" + content;
		CRC32C checksum = new CRC32C();
		checksum.update(text.getBytes(StandardCharsets.UTF_8));
		this.disk.pageCache = ("crc32c=%08x\n".formatted(checksum.getValue()) + text).getBytes(StandardCharsets.UTF_8);
		StateFile file = open();
		assertThatExceptionOfType(StateFileException.class).isThrownBy(file::load)
			.withMessageContaining("may be a copy");
		file.save(Map.of("horizon", "8"));
		assertThat(file.load()).containsEntry("horizon", "8");
	}

	@Test
	void garbageYieldsTheContentSavedLastOrIsReportedAsDamage() throws IOException {
		byte[] whole = saved();
		Garbage garbage = new Garbage("State files");
		Map<String, Integer> outcomes = new HashMap<>();
		for (int i = 0; i < CASES; i++) {
			byte[] content = garbage.of(whole);
			if (garbage.random().nextBoolean()) {
				content = garbage.of(Arrays.copyOf(content, Math.max(1, content.length)));
			}
			String loaded = load(content);
			outcomes.merge(loaded, 1, Integer::sum);
		}
		System.out.println("Results for state files with garbage: " + outcomes);
		assertThat(outcomes).containsKeys("damaged", Long.toString(NOW + 1)).hasSize(2);
	}

	/**
	 * Invalid values are treated as damage even if the checksum is correct.
	 */
	@Test
	void aSavedLeaseWithGarbageValuesIsRefused() throws IOException {
		Garbage garbage = new Garbage("Saved leases");
		int refused = 0;
		for (int i = 0; i < CASES; i++) {
			Map<String, String> values = new HashMap<>(Map.of("worker-id", "3", "owner", "claim-1", "horizon",
					Long.toString(NOW + 10), "reserved-until", Long.toString(NOW)));
			corrupt(values, garbage);
			FileSavedLeaseStore stateFile = new FileSavedLeaseStore(DIRECTORY, "orders", "8080", HERE,
					saved(values, "8080"));
			stateFile.open(SnowflakeLayout.LEAF, STORE);
			try {
				SavedLease lease = stateFile.load();
				assertThat(lease.workerId()).as("%s", values).isBetween(0L, 1023L);
				assertThat(lease.owner()).isNotEmpty();
				assertThat(lease.horizon()).as("%s", values).isBetween(0L, Lease.MAX_TIME);
				assertThat(lease.reservedUntil()).as("%s", values).isBetween(0L, lease.horizon());
			}
			catch (IdGenerationException ex) {
				assertThat(ex).hasMessageContainingAll("/state/orders/8080/lease.state", "is damaged",
						"writes a new file");
				refused++;
			}
		}
		assertThat(refused).isBetween(CASES / 4, CASES - 1);
	}

	@Test
	void aLeaseRecordWithGarbageValuesIsRefused() throws IOException {
		Garbage garbage = new Garbage("Lease records in files");
		int refused = 0;
		for (int i = 0; i < CASES; i++) {
			Map<String, String> values = new HashMap<>(Map.of("version", "3", "owner", "claim-1", "horizon",
					Long.toString(NOW), "host", "10.0.0.1:8080", "since", "1", "reported", "2"));
			corrupt(values, garbage);
			FileWorkerLeaseStore store = new FileWorkerLeaseStore(DIRECTORY, "orders", 5, HERE, saved(values, null));
			try {
				store.open(SnowflakeLayout.LEAF);
				LeaseRecord record = store.read(5);
				long version = record.version();
				assertThat(record.lease().horizon()).as("%s", values).isBetween(0L, Lease.MAX_TIME);
				assertThat(record.lease().reported()).as("%s", values).isBetween(0L, Lease.MAX_TIME);
				assertThat(store.write(5, version, TestLeases.lease("b", NOW + 10, "", NOW, NOW))).isTrue();
			}
			catch (WorkerLeaseStoreException ex) {
				assertThat(ex).hasMessageContainingAll("/state/orders/worker-5.state", "is damaged", "delete the file");
				assertThat(ex.isRefusal()).isTrue();
				refused++;
			}
		}
		assertThat(refused).isBetween(CASES / 4, CASES - 1);
	}

	private static void corrupt(Map<String, String> values, Garbage garbage) {
		String name = values.keySet().stream().sorted().skip(garbage.random().nextInt(values.size())).findFirst().get();
		if (garbage.random().nextInt(10) == 0) {
			values.remove(name);
		}
		else {
			values.put(name, garbage.number());
		}
	}

	private SimulatedDisk saved(Map<String, String> values, String port) throws IOException {
		this.disk.pageCache = null;
		String purpose = (port != null) ? "leaf.name=orders, leaf.snowflake.port=" + port
				: "leaf.name=orders, leaf.snowflake.worker.id=5";
		StateFile file = new StateFile(DIRECTORY, Path.of("x.state"), purpose, HERE, false, (ex) -> ex, this.disk);
		file.open(SnowflakeLayout.LEAF, (port != null) ? STORE : "");
		file.save(values);
		return this.disk;
	}

}
