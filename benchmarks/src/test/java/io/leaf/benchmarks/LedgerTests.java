// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Ledger} and {@link Verdict}.
 */
class LedgerTests {

	private final Ledger ledger = new Ledger();

	private void draw(long[]... samples) {
		for (int i = 0; i < samples.length; i++) {
			this.ledger.join();
		}
		for (long[] sample : samples) {
			this.ledger.leave(sample, sample.length);
		}
	}

	@Test
	void anIdThatTwoThreadsHaveDrawnFailsTheBenchmark() {
		assertThatIllegalStateException().isThrownBy(() -> draw(new long[] { 1, 2 }, new long[] { 3, 2 }))
			.withMessage("1 of 4 compared IDs were issued twice");
	}

	@Test
	void anotherCountThanTheSourcesFailsTheBenchmark() {
		this.ledger.source(() -> 3);
		assertThatIllegalStateException().isThrownBy(() -> draw(new long[] { 1, 2 }))
			.withMessage("2 IDs were drawn, but 3 issued");
	}

	@Test
	void aRunThatComparesHardlyAnythingFailsTheBenchmark() {
		this.ledger.join();
		assertThatIllegalStateException().isThrownBy(() -> this.ledger.leave(new long[] { 1 }, 200_000_000))
			.withMessage("Of 200,000,000 IDs only 1 were compared");
	}

	@Test
	void whatAPeerIssuesTwiceIsWrittenDown() {
		this.ledger.peer();
		draw(new long[] { 5, 5, 5, 6 });
		assertThat(this.ledger.verdict()).isEqualTo(new Verdict(4, 4, 2, -1));
		assertThat(this.ledger.verdict().problem()).isEqualTo("2 of 4 compared IDs were issued twice");
	}

	@Test
	void uniqueIdsInTheRightNumberAreNoProblem() {
		this.ledger.source(() -> 4);
		draw(new long[] { 4, 1 }, new long[] { 3, 2 });
		assertThat(this.ledger.verdict()).isEqualTo(new Verdict(4, 4, 0, 4));
		assertThat(this.ledger.verdict().problem()).isNull();
	}

	@Test
	void thereIsNoVerdictWhileThreadsDraw() {
		this.ledger.join();
		assertThatIllegalStateException().isThrownBy(this.ledger::verdict);
	}

	@Test
	void aVerdictIsReadAsItWasWritten(@TempDir Path folder) throws Exception {
		Verdict verdict = new Verdict(4_000_000_000L, 1_000_000, 0, -1);
		verdict.write(folder.resolve("verdict"));
		assertThat(Verdict.read(folder.resolve("verdict"))).isEqualTo(verdict);
	}

}
