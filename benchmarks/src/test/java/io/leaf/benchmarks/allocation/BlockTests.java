// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.allocation;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link Block}.
 */
class BlockTests {

	@Test
	void blocksThatTouchAreDisjoint() {
		List<Block> blocks = List.of(new Block(2001, 3001), new Block(1, 1001), new Block(1001, 2001));
		assertThat(Block.overlaps(blocks)).isZero();
		assertThat(Block.check(blocks)).isEqualTo("no overlap");
	}

	@Test
	void theSameBlockTwiceIsAnOverlap() {
		assertThat(Block.overlaps(List.of(new Block(1, 1001), new Block(1001, 2001), new Block(1, 1001)))).isEqualTo(1);
	}

	@Test
	void oneNumberInCommonIsAnOverlap() {
		assertThat(Block.overlaps(List.of(new Block(1000, 2000), new Block(1, 1001)))).isEqualTo(1);
	}

	@Test
	void aBlockOverlapsWithALongOneThatIsNotTheOneBeforeIt() {
		assertThat(Block.overlaps(List.of(new Block(1, 1000), new Block(10, 20), new Block(30, 40)))).isEqualTo(2);
	}

	@Test
	void anOverlapEndsTheRun() {
		assertThatIllegalStateException().isThrownBy(() -> Block.check(List.of(new Block(1, 1001), new Block(1, 1001))))
			.withMessageContaining("1 of 2 blocks");
	}

}
