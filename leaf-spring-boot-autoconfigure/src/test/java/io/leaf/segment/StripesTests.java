// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StripesTests {

	private final Stripes stripes = new Stripes(2);

	private final int own = this.stripes.own();

	private void fill(long next) {
		assertThat(this.stripes.claim(this.own)).isTrue();
		this.stripes.fill(this.own, next);
	}

	@Test
	void draw_hasNothingAtFirst() {
		assertThat(this.stripes.draw(this.own)).isEqualTo(Stripes.NONE);
		assertThat(this.stripes.size()).isZero();
	}

	@Test
	void draw_returnsTheNumbersUpToTheEndOfTheRun() {
		fill(129);
		assertThat(this.stripes.size()).isEqualTo(63);
		assertThat(LongStream.range(129, 192).map((number) -> this.stripes.draw(this.own)))
			.containsExactlyElementsOf(LongStream.range(129, 192).boxed().toList());
		assertThat(this.stripes.size()).isZero();
		assertThat(this.stripes.draw(this.own)).isEqualTo(Stripes.NONE);
	}

	@Test
	void fill_afterARunOfOneNumberLeavesTheStripeUsedUp() {
		fill(192);
		assertThat(this.stripes.draw(this.own)).isEqualTo(Stripes.NONE);
		assertThat(this.stripes.size()).isZero();
		assertThat(this.stripes.claim(this.own)).isTrue();
	}

	@Test
	void claim_succeedsOnceAndOnlyIfTheStripeIsUsedUp() {
		assertThat(this.stripes.claim(this.own)).isTrue();
		assertThat(this.stripes.claim(this.own)).isFalse();
		assertThat(this.stripes.draw(this.own)).isEqualTo(Stripes.NONE);
		this.stripes.fill(this.own, 1);
		assertThat(this.stripes.claim(this.own)).isFalse();
	}

	@Test
	void abandon_allowsAnotherClaim() {
		assertThat(this.stripes.claim(this.own)).isTrue();
		this.stripes.abandon(this.own);
		assertThat(this.stripes.claim(this.own)).isTrue();
	}

	@Test
	void drain_returnsTheStartOfTheNumbersRightBeforeAnEnd() {
		fill(100);
		assertThat(this.stripes.drain(128)).isEqualTo(100);
		assertThat(this.stripes.draw(this.own)).isEqualTo(Stripes.NONE);
		fill(100);
		assertThat(this.stripes.drain(192)).as("the run does not end right before").isEqualTo(192);
		assertThat(this.stripes.size()).isZero();
	}

	@Test
	void drain_preventsFillsOfEarlierClaims() {
		assertThat(this.stripes.claim(this.own)).isTrue();
		this.stripes.drain(128);
		this.stripes.fill(this.own, 65);
		assertThat(this.stripes.draw(this.own)).isEqualTo(Stripes.NONE);
		assertThat(this.stripes.size()).isZero();
	}

	@Test
	void own_isTheSameForAThreadAndDiffersBetweenThreadsWithConsecutiveIds() throws InterruptedException {
		assertThat(this.stripes.own()).isEqualTo(this.own);
		int[] found = new int[2];
		for (int processors : new int[] { 1, 2, 3, 8, 100 }) {
			Stripes stripes = new Stripes(processors);
			Thread[] threads = new Thread[2];
			for (int i = 0; i < 2; i++) {
				int index = i;
				threads[i] = new ThreadWithId(1000 + i, () -> found[index] = stripes.own());
			}
			for (Thread thread : threads) {
				thread.start();
				thread.join();
			}
			assertThat(found[0]).as("with %d processors", processors).isNotEqualTo(found[1]);
		}
	}

	private static final class ThreadWithId extends Thread {

		private final long id;

		ThreadWithId(long id, Runnable task) {
			super(task);
			this.id = id;
		}

		@Override
		public long getId() {
			return this.id;
		}

	}

}
