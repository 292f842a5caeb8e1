// SPDX-License-Identifier: Apache-2.0

package io.leaf.it.load;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests that the ledger finds duplicates, and IDs that do not ascend.
 */
class IdLedgerIT {

	private static final int FIRST = 1001;

	private static final int IDS = 100_000;

	private final IdLedger ledger = IdLedger.consecutive(FIRST);

	@Test
	void acceptsConsecutiveIdsInAnyOrder() {
		List<Long> blocks = new ArrayList<>();
		for (long id = FIRST; id < FIRST + IDS; id += 100) {
			blocks.add(id);
		}
		Collections.shuffle(blocks, new Random(7));
		for (long first : blocks) {
			add(first, 100);
		}
		assertThat(this.ledger.ids()).isEqualTo(IDS);
		assertThat(this.ledger.highest()).isEqualTo(FIRST + IDS - 1);
	}

	@ParameterizedTest
	@ValueSource(longs = { FIRST, FIRST + 1, 4095, 4096, 50_000, FIRST + IDS - 1 })
	void findsADuplicateOfAnyAge(long duplicate) {
		fill();
		assertRefused(duplicate);
	}

	@ParameterizedTest
	@ValueSource(longs = { FIRST, 50_000, FIRST + IDS - 1 })
	void findsADuplicateOfAnIdThatWasAddedBeforeSettling(long duplicate) {
		fill();
		this.ledger.settle();
		add(FIRST + IDS, 1);
		assertRefused(duplicate);
		assertRefused(FIRST + IDS);
		add(FIRST + IDS + 1, 10_000);
	}

	@Test
	void refusesIdsBelowTheFirst() {
		assertRefused(FIRST - 1);
		assertRefused(0);
	}

	@Test
	void findsADuplicateWhenIdsAreSkipped() {
		IdLedger gaps = IdLedger.withGaps();
		for (long millisecond = 0; millisecond < 40_000; millisecond++) {
			gaps.add(-1, new long[] { millisecond << 22 }, 1);
		}
		for (long millisecond : new long[] { 0, 9_999, 10_000, 39_999 }) {
			assertThatIllegalStateException().isThrownBy(() -> gaps.add(-1, new long[] { millisecond << 22 }, 1));
		}
		gaps.add(-1, new long[] { (20_000L << 22) + 1 }, 1);
	}

	@Test
	void refusesAnIdThatIsNotLargerThanThePreviousOne() {
		assertThatIllegalStateException().isThrownBy(() -> this.ledger.add(2000, new long[] { 2000 }, 1));
		assertThatIllegalStateException().isThrownBy(() -> this.ledger.add(2000, new long[] { 2002, 2001 }, 2));
	}

	@Test
	void refusesOneOfTwoThreadsThatAddTheSameId() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(2);
		AtomicLong refused = new AtomicLong();
		List<Future<?>> results = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			results.add(executor.submit(() -> {
				for (long id = FIRST; id < FIRST + IDS; id++) {
					try {
						this.ledger.add(FIRST - 1, new long[] { id }, 1);
					}
					catch (IllegalStateException ex) {
						refused.incrementAndGet();
					}
				}
			}));
		}
		for (Future<?> result : results) {
			result.get();
		}
		executor.shutdown();
		assertThat(refused).hasValue(IDS);
		assertThat(this.ledger.ids()).isEqualTo(IDS);
	}

	private void fill() {
		for (long id = FIRST; id < FIRST + IDS; id += 100) {
			add(id, 100);
		}
	}

	private void add(long first, int count) {
		long[] ids = new long[count];
		for (int i = 0; i < count; i++) {
			ids[i] = first + i;
		}
		this.ledger.add(-1, ids, count);
	}

	private void assertRefused(long id) {
		assertThatIllegalStateException().isThrownBy(() -> add(id, 1));
	}

}
