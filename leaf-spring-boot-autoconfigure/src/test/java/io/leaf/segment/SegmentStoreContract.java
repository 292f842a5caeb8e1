// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.leaf.segment.SegmentStore.Allocation;
import io.leaf.segment.SegmentStore.Counter;
import io.leaf.segment.SegmentStore.Raises;
import io.leaf.segment.SegmentStore.Unissued;
import io.leaf.segment.SegmentStore.Window;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The contract of every {@link SegmentStore}. Each test starts with an empty store.
 */
public abstract class SegmentStoreContract {

	/**
	 * Longer than any allocation here takes.
	 */
	protected static final Duration TIMEOUT = Duration.ofSeconds(30);

	protected abstract SegmentStore store();

	/**
	 * Adds a row to the store without using the {@link SegmentStore} interface.
	 */
	protected abstract void put(String key, long maxId, long step);

	/**
	 * Removes a row from the store without using the {@link SegmentStore} interface.
	 */
	protected abstract void remove(String key);

	/**
	 * Allocates numbers, starting at the counter.
	 */
	protected final @Nullable Allocation allocate(String key, long size) {
		return store().allocate(key, size, 0, TIMEOUT);
	}

	/**
	 * Asserts the bounds of an allocation. A store need not return the row's step.
	 */
	protected static void assertAllocated(@Nullable Allocation allocation, long from, long to, long rowStep) {
		assertThat(allocation).isIn(new Allocation(from, to, rowStep), new Allocation(from, to, 0));
	}

	private @Nullable SegmentRow find(String key) {
		List<SegmentRow> rows = store().find(List.of(key)).stream().filter((row) -> row.key().equals(key)).toList();
		assertThat(rows).hasSizeLessThan(2);
		return rows.isEmpty() ? null : rows.get(0);
	}

	private long maxId(String key) {
		SegmentRow row = find(key);
		assertThat(row).isNotNull();
		return row.maxId();
	}

	@Test
	void allocate_takesNumbersStartingAtMaxId() {
		put("order", 1, 2000);
		assertAllocated(allocate("order", 2000), 1, 2001, 2000);
		assertAllocated(allocate("order", 500), 2001, 2501, 2000);
		assertThat(maxId("order")).isEqualTo(2501);
	}

	@Test
	void allocate_doesNotChangeOtherKeys() {
		put("order", 1, 10);
		put("customer", 70, 10);
		allocate("order", 10);
		assertThat(maxId("customer")).isEqualTo(70);
	}

	@Test
	void allocate_withoutARowReturnsNull() {
		assertThat(allocate("order", 10)).isNull();
	}

	@Test
	void allocate_readsTheStepAfresh() {
		put("order", 1, 10);
		allocate("order", 10);
		long maxId = maxId("order");
		remove("order");
		put("order", maxId, 77);
		assertAllocated(allocate("order", 10), 11, 21, 77);
	}

	@Test
	void allocate_refusesAStepThatIsNotPositiveAndTakesNothing() {
		for (long step : new long[] { 0, -5 }) {
			put("order", 1, step);
			assertRefused("order", 10, "'order'", "step is " + step, "1 or more");
			assertThat(maxId("order")).isEqualTo(1);
			remove("order");
		}
	}

	@Test
	void allocate_refusesToPassTheLargestNumberAndTakesNothing() {
		long last = SegmentStore.MAX_END - 10;
		put("order", last, 10);
		assertRefused("order", 11, "'order'", "max_id is " + last);
		assertAllocated(allocate("order", 10), last, SegmentStore.MAX_END, 10);
		assertRefused("order", 1, "'order'", "largest");
		put("full", Long.MAX_VALUE, 10);
		assertRefused("full", 1, "'full'", "max_id is " + Long.MAX_VALUE);
	}

	@Test
	void allocate_refusesNegativeNumbersAndTakesNothing() {
		put("order", -5, 10);
		assertRefused("order", 10, "'order'", "max_id is -5", "0 or more");
		assertThat(maxId("order")).isEqualTo(-5);
	}

	private void assertRefused(String key, long size, String... texts) {
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> allocate(key, size))
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue())
			.satisfies((ex) -> assertThat(ex).hasMessageContainingAll(texts));
	}

	@Test
	void allocate_inAWindowComparesTheClockOfTheStore() {
		put("invoice", 1, 10);
		Instant time = Objects.requireNonNull(store().read("invoice", TIMEOUT)).time();
		Instant past = time.minus(Duration.ofDays(1));
		Instant future = time.plus(Duration.ofDays(1));
		assertThat(allocate(3, new Window(2026112201, 2026112300, past, time, Raises.NONE))).isNull();
		assertThat(allocate(3, new Window(2026112201, 2026112300, future, future.plusSeconds(60), Raises.NONE)))
			.isNull();
		assertThat(maxId("invoice")).isEqualTo(1);
		assertAllocated(allocate(3, new Window(2026112201, 2026112300, time, future, Raises.NONE)), 2026112201,
				2026112204, 10);
		assertAllocated(allocate(3, new Window(2026112201, 2026112300, past, future, Raises.NONE)), 2026112204,
				2026112207, 10);
	}

	@Test
	void allocate_inAWindowDoesNotPassItsEnd() {
		put("invoice", 2026112298, 10);
		Window window = new Window(2026112201, 2026112300, Instant.EPOCH, Instant.parse("9999-12-31T23:59:59Z"),
				Raises.NONE);
		assertThat(allocate(3, window)).isNull();
		assertAllocated(allocate(2, window), 2026112298, 2026112300, 10);
		assertThat(allocate(1, window)).isNull();
		assertThat(maxId("invoice")).isEqualTo(2026112300);
	}

	@Test
	void allocate_inAWindowWithoutARowReturnsNull() {
		assertThat(allocate(1, new Window(1, 10, Instant.EPOCH, Instant.parse("9999-12-31T23:59:59Z"), Raises.NONE)))
			.isNull();
	}

	@Test
	void read_returnsTheCounter() {
		assertThat(store().read("invoice", TIMEOUT)).isNull();
		put("invoice", 77, 10);
		put("order", 1, 10);
		assertThat(store().read("invoice", TIMEOUT)).extracting(Counter::next).isEqualTo(77L);
	}

	private @Nullable Allocation allocate(long size, Window window) {
		return store().allocate("invoice", size, window, TIMEOUT);
	}

	@Test
	void allocate_byManyThreadsNeverReturnsANumberTwice() throws Exception {
		put("order", 1, 10);
		int threads = 8;
		int allocationsEach = 25;
		Callable<List<Allocation>> work = () -> {
			List<Allocation> allocations = new ArrayList<>();
			for (int i = 0; i < allocationsEach; i++) {
				allocations.add(allocate("order", 7));
			}
			return allocations;
		};
		List<Allocation> all = new ArrayList<>();
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			for (Future<List<Allocation>> result : executor
				.invokeAll(List.of(work, work, work, work, work, work, work, work))) {
				all.addAll(result.get());
			}
		}
		finally {
			executor.shutdownNow();
		}
		all.sort(Comparator.comparingLong(Allocation::from));
		long next = 1;
		for (Allocation allocation : all) {
			assertThat(allocation.from()).isEqualTo(next);
			next = allocation.to();
		}
		assertThat(next).isEqualTo(1 + 7L * threads * allocationsEach).isEqualTo(maxId("order"));
	}

	@Test
	void allocate_startsAtTheFloorIfTheCounterIsBelowIt() {
		put("order", 100, 10);
		assertAllocated(store().allocate("order", 10, 500, TIMEOUT), 500, 510, 10);
		assertAllocated(allocate("order", 10), 510, 520, 10);
		assertAllocated(store().allocate("order", 10, 500, TIMEOUT), 520, 530, 10);
		assertThat(store().allocate("missing", 10, 500, TIMEOUT)).isNull();
	}

	@Test
	void allocate_refusesAFloorThatLeavesNoRoom() {
		put("order", 100, 10);
		assertThatExceptionOfType(SegmentStoreException.class)
			.isThrownBy(() -> store().allocate("order", 11, SegmentStore.MAX_END - 10, TIMEOUT))
			.withMessageContainingAll("'order'", "largest")
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue());
		assertThat(maxId("order")).isEqualTo(100);
	}

	@Test
	void giveBack_returnsNumbersIfNoProcessHasAllocatedSince() {
		put("order", 100, 10);
		assertThat(store().giveBack(List.of(new Unissued("order", 40, 100)))).containsExactly("order");
		assertThat(maxId("order")).isEqualTo(40);
	}

	@Test
	void giveBack_hasNoEffectOnAKeyThatAProcessHasAllocatedFromSince() {
		put("order", 110, 10);
		assertThat(store().giveBack(List.of(new Unissued("order", 40, 100)))).isEmpty();
		assertThat(store().giveBack(List.of(new Unissued("missing", 40, 100)))).isEmpty();
		assertThat(maxId("order")).isEqualTo(110);
	}

	@Test
	void giveBack_ofManyKeysTreatsEachSeparately() {
		List<Unissued> unissued = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			put("key" + i, (i % 10 == 0) ? 110 : 100, 10);
			unissued.add(new Unissued("key" + i, 40 + i % 7, 100));
		}
		put("other", 100, 10);
		Set<String> returned = store().giveBack(unissued);
		for (int i = 0; i < 100; i++) {
			assertThat(maxId("key" + i)).isEqualTo((i % 10 == 0) ? 110 : 40 + i % 7);
			assertThat(returned.contains("key" + i)).isEqualTo(i % 10 != 0);
		}
		assertThat(maxId("other")).isEqualTo(100);
	}

	@Test
	void giveBack_executedTwiceReturnsNumbersThatAnotherProcessIssues() {
		put("order", 1, 10);
		Unissued unissued = new Unissued("order", 5, allocate("order", 10).to());
		assertThat(store().giveBack(List.of(unissued))).containsExactly("order");
		Allocation others = allocate("order", 6);
		store().giveBack(List.of(unissued));
		assertThat(maxId("order")).as("why giveBack is sent at most once, and can be disabled").isLessThan(others.to());
	}

	@Test
	void checkWritable_passesAndChangesNothing() {
		store().checkWritable();
		put("order", 5, 10);
		store().checkWritable();
		assertThat(maxId("order")).isEqualTo(5);
	}

	@Test
	void findAll_readsEveryRow() {
		assertThat(store().findAll()).isEmpty();
		put("a", 1, 10);
		put("b", Long.MAX_VALUE, -3);
		assertThat(store().findAll()).containsExactlyInAnyOrder(new SegmentRow("a", 1, 10),
				new SegmentRow("b", Long.MAX_VALUE, -3));
	}

	@Test
	void find_readsTheRowOfExactlyThisKey() {
		put("order", 5, 10);
		assertThat(find("order")).isEqualTo(new SegmentRow("order", 5, 10));
		assertThat(find("Order")).isNull();
		assertThat(find("order ")).isNull();
		assertThat(find("missing")).isNull();
	}

	@Test
	void find_readsTheRowsOfTheseKeysOnly() {
		put("a", 1, 10);
		put("b", 2, 20);
		put("c", 3, 30);
		assertThat(store().find(List.of("c", "missing", "a"))).containsExactlyInAnyOrder(new SegmentRow("a", 1, 10),
				new SegmentRow("c", 3, 30));
		assertThat(store().find(List.of())).isEmpty();
	}

	@Test
	void find_acceptsMoreKeysThanAStatementCanHaveParameters() {
		put("key0", 1, 10);
		put("key69999", 1, 10);
		List<String> keys = IntStream.range(0, 70_000).mapToObj((i) -> "key" + i).toList();
		assertThat(store().find(keys)).extracting(SegmentRow::key).containsExactlyInAnyOrder("key0", "key69999");
	}

	@Test
	void find_ofAKeyThatTheStoreCannotHoldDoesNotFailAndFindsTheOthers() {
		put("order", 5, 10);
		assertThat(find("a\u0000b")).isNull();
		assertThat(store().find(List.of("a\u0000b", "order"))).containsExactly(new SegmentRow("order", 5, 10));
	}

	@Test
	void create_ofAKeyThatTheStoreCannotHoldDoesNotFail() {
		assertThatCode(() -> store().create("a\u0000b", 10, 1)).doesNotThrowAnyException();
	}

	@Test
	void keysMayHoldAnyCharacter() {
		String key = "it's \"ä\" 订单 50% \\ ? ;--".concat("x".repeat(100));
		put(key, 5, 10);
		assertThat(find(key)).isEqualTo(new SegmentRow(key, 5, 10));
		assertAllocated(allocate(key, 10), 5, 15, 10);
	}

	@Test
	void create_addsARowThatCountsFromANumber() {
		store().create("order", 500, 1);
		store().create("invoice", 100, 7_001);
		assertThat(find("order")).isEqualTo(new SegmentRow("order", 1, 500));
		assertThat(find("invoice")).isEqualTo(new SegmentRow("invoice", 7_001, 100));
	}

	@Test
	void create_doesNotChangeAnExistingRow() {
		put("order", 77, 10);
		store().create("order", 500, 1_000);
		assertThat(find("order")).isEqualTo(new SegmentRow("order", 77, 10));
	}

}
