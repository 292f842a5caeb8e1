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

package io.leaf.segment;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.leaf.segment.SegmentStore.Allocation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What every {@link SegmentStore} must do. Each test finds an empty store.
 */
public abstract class SegmentStoreContract {

	protected abstract SegmentStore store();

	/**
	 * Puts a row into the store past the {@link SegmentStore} interface.
	 */
	protected abstract void put(String key, long maxId, long step);

	/**
	 * Removes a row from the store past the {@link SegmentStore} interface.
	 */
	protected abstract void remove(String key);

	private long maxId(String key) {
		SegmentRow row = store().find(key);
		assertThat(row).isNotNull();
		return row.maxId();
	}

	@Test
	void allocate_takesTheNumbersFromMaxIdOn() {
		put("order", 1, 2000);
		assertThat(store().allocate("order", 2000)).isEqualTo(new Allocation(1, 2001, 2000));
		assertThat(store().allocate("order", 500)).isEqualTo(new Allocation(2001, 2501, 2000));
		assertThat(maxId("order")).isEqualTo(2501);
	}

	@Test
	void allocate_leavesOtherKeysAlone() {
		put("order", 1, 10);
		put("customer", 70, 10);
		store().allocate("order", 10);
		assertThat(maxId("customer")).isEqualTo(70);
	}

	@Test
	void allocate_withoutARowReturnsNull() {
		assertThat(store().allocate("order", 10)).isNull();
	}

	@Test
	void allocate_readsTheStepAfresh() {
		put("order", 1, 10);
		store().allocate("order", 10);
		long maxId = maxId("order");
		remove("order");
		put("order", maxId, 77);
		assertThat(store().allocate("order", 10)).isEqualTo(new Allocation(11, 21, 77));
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
		assertThat(store().allocate("order", 10)).isEqualTo(new Allocation(last, SegmentStore.MAX_END, 10));
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
		assertThatExceptionOfType(SegmentStoreException.class).isThrownBy(() -> store().allocate(key, size))
			.satisfies((ex) -> assertThat(ex.isRefusal()).isTrue())
			.satisfies((ex) -> assertThat(ex).hasMessageContainingAll(texts));
	}

	@Test
	void allocate_byManyAtOnceNeverGivesANumberTwice() throws Exception {
		put("order", 1, 10);
		int threads = 8;
		int allocationsEach = 25;
		Callable<List<Allocation>> work = () -> {
			List<Allocation> allocations = new ArrayList<>();
			for (int i = 0; i < allocationsEach; i++) {
				allocations.add(store().allocate("order", 7));
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
	void raise_neverLowers() {
		put("order", 100, 10);
		store().raise("order", 50);
		assertThat(maxId("order")).isEqualTo(100);
		store().raise("order", 150);
		assertThat(maxId("order")).isEqualTo(150);
		store().raise("nobody", 150);
		assertThat(store().find("nobody")).isNull();
	}

	@Test
	void giveBack_worksWhereNobodyHasAllocatedSince() {
		put("order", 100, 10);
		assertThat(store().giveBack("order", 40, 100)).isTrue();
		assertThat(maxId("order")).isEqualTo(40);
	}

	@Test
	void giveBack_hasNoEffectWhereSomebodyHas() {
		put("order", 110, 10);
		assertThat(store().giveBack("order", 40, 100)).isFalse();
		assertThat(store().giveBack("nobody", 40, 100)).isFalse();
		assertThat(maxId("order")).isEqualTo(110);
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
		assertThat(store().find("order")).isEqualTo(new SegmentRow("order", 5, 10));
		assertThatNoRowIsFound("Order");
		assertThatNoRowIsFound("order ");
		assertThat(store().find("nobody")).isNull();
	}

	// a database may not tell it from 'order', and says so
	private void assertThatNoRowIsFound(String key) {
		try {
			assertThat(store().find(key)).isNull();
		}
		catch (SegmentStoreException ex) {
			assertThat(ex).hasMessageContaining("row of key 'order'");
			assertThat(ex.isRefusal()).isTrue();
		}
	}

	@Test
	void find_ofAKeyThatNoRowCanHaveIsNoFailureOfTheStore() {
		assertThat(store().find("a\u0000b")).isNull();
	}

	@Test
	void keysMayHoldAnyCharacter() {
		String key = "it's \"ä\" 订单 50% \\ ? ;--".concat("x".repeat(100));
		put(key, 5, 10);
		assertThat(store().find(key)).isEqualTo(new SegmentRow(key, 5, 10));
		assertThat(store().allocate(key, 10)).isEqualTo(new Allocation(5, 15, 10));
	}

	@Test
	void create_addsARowThatCountsFromANumber() {
		store().create("order", 500, 1);
		store().create("invoice", 100, 7_001);
		assertThat(store().find("order")).isEqualTo(new SegmentRow("order", 1, 500));
		assertThat(store().find("invoice")).isEqualTo(new SegmentRow("invoice", 7_001, 100));
	}

	@Test
	void create_leavesARowAloneThatIsThere() {
		put("order", 77, 10);
		store().create("order", 500, 1_000);
		assertThat(store().find("order")).isEqualTo(new SegmentRow("order", 77, 10));
	}

}
