// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link IdCheck} and {@link IdCheckResult}.
 */
class IdCheckTests {

	private final IdCheck check = new IdCheck();

	private void draw(long[]... samples) {
		for (int i = 0; i < samples.length; i++) {
			this.check.join();
		}
		for (long[] sample : samples) {
			this.check.leave(sample, sample.length);
		}
	}

	@Test
	void duplicateIdFailsTheBenchmark() {
		assertThatIllegalStateException().isThrownBy(() -> draw(new long[] { 1, 2 }, new long[] { 3, 2 }))
			.withMessage("1 of 4 compared IDs were issued twice");
	}

	@Test
	void numberOfIdsThatDiffersFromTheGeneratorsFailsTheBenchmark() {
		this.check.issuedBy(() -> 3);
		assertThatIllegalStateException().isThrownBy(() -> draw(new long[] { 1, 2 }))
			.withMessage("2 IDs were drawn, but 3 issued");
	}

	@Test
	void tooSmallSampleFailsTheBenchmark() {
		this.check.join();
		assertThatIllegalStateException().isThrownBy(() -> this.check.leave(new long[] { 1 }, 200_000_000))
			.withMessage("Only 1 of 200,000,000 IDs were compared");
	}

	@Test
	void duplicateIdOfAPeerIsReported() {
		this.check.peer();
		draw(new long[] { 5, 5, 5, 6 });
		assertThat(this.check.result()).isEqualTo(new IdCheckResult(4, 4, 2, -1));
		assertThat(this.check.result().problem()).isEqualTo("2 of 4 compared IDs were issued twice");
	}

	@Test
	void uniqueIdsInTheExpectedNumberAreNoProblem() {
		this.check.issuedBy(() -> 4);
		draw(new long[] { 4, 1 }, new long[] { 3, 2 });
		assertThat(this.check.result()).isEqualTo(new IdCheckResult(4, 4, 0, 4));
		assertThat(this.check.result().problem()).isNull();
	}

	@Test
	void batchesOfSeveralWorkerIdsHaveNoDuplicates() {
		DrawnIds drawn = new DrawnIds();
		drawn.begin(this.check);
		long tick = 5L << 22;
		// the end of a tick and the beginning of the next one, for the worker IDs 0 and 1
		drawn.record(new long[] { tick - (1 << 22) + 4095, tick, tick + 1 });
		drawn.record(new long[] { tick - (1 << 22) + 4096 + 4095, tick + 4096, tick + 4096 + 1 });
		drawn.end(this.check);
		assertThat(this.check.result()).isEqualTo(new IdCheckResult(6, 1, 0, -1));
	}

	@Test
	void resultIsUnavailableWhileThreadsDraw() {
		this.check.join();
		assertThatIllegalStateException().isThrownBy(this.check::result);
	}

	@Test
	void resultIsReadAsItWasWritten(@TempDir Path folder) throws Exception {
		IdCheckResult result = new IdCheckResult(4_000_000_000L, 1_000_000, 0, -1);
		result.write(folder.resolve("result"));
		assertThat(IdCheckResult.read(folder.resolve("result"))).isEqualTo(result);
	}

}
