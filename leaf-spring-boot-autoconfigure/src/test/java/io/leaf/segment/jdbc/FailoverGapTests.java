// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment.jdbc;

import io.leaf.segment.jdbc.FailoverGap.Found;
import io.leaf.segment.jdbc.FailoverGap.Primary;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FailoverGapTests {

	private final FailoverGap gap = new FailoverGap(1000, () -> 100);

	@Test
	void aRaiseThatAnotherThreadHasSeenMeanwhileIsNotForgotten() {
		this.gap.follow(new Server("a", new PrimaryRecord("a", 0, 10), () -> {
		}));
		Server lost = new Server("b", new PrimaryRecord("b", 1, 11), () -> {
		});
		Server present = new Server("c", new PrimaryRecord("c", 1, 12), () -> this.gap.follow(lost));
		this.gap.follow(present);
		assertThat(present.raised).isEqualTo(1000);
		assertThat(this.gap.seen()).isEqualTo(present.row);
	}

	private static final class Server implements Primary {

		private final String name;

		private final Runnable afterFirstRead;

		private PrimaryRecord row;

		private boolean read;

		private long raised;

		Server(String name, PrimaryRecord row, Runnable afterFirstRead) {
			this.name = name;
			this.row = row;
			this.afterFirstRead = afterFirstRead;
		}

		@Override
		public Found find() {
			if (!this.read) {
				this.read = true;
				this.afterFirstRead.run();
			}
			return new Found(this.row, this.name);
		}

		@Override
		public void add(boolean here, long version) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void raise(PrimaryRecord former, PrimaryRecord next, long numbers) {
			this.row = next;
			this.raised += numbers;
		}

	}

}
