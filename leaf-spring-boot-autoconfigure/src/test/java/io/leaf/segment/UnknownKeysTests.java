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

import java.time.Duration;

import io.leaf.ManualScheduler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnknownKeysTests {

	private final ManualScheduler clock = new ManualScheduler();

	private final UnknownKeys keys = new UnknownKeys(this.clock::nanoTime);

	@Test
	void remembers_forTenSeconds() {
		this.keys.remember("a");
		assertThat(this.keys.remembers("a")).isTrue();
		assertThat(this.keys.remembers("b")).isFalse();
		this.clock.advance(Duration.ofMillis(9_999));
		assertThat(this.keys.remembers("a")).isTrue();
		this.clock.advance(Duration.ofMillis(1));
		assertThat(this.keys.remembers("a")).isFalse();
		assertThat(this.keys.size()).isZero();
	}

	@Test
	void forget_letsAKeyBeLookedUpAgain() {
		this.keys.remember("a");
		this.keys.forget("a");
		assertThat(this.keys.remembers("a")).isFalse();
	}

	@Test
	void tryLookUp_allowsAThousandAtOnceAndTenASecond() {
		assertThat(lookUps(5000)).isEqualTo(1000);
		this.clock.advance(Duration.ofSeconds(1));
		assertThat(lookUps(5000)).isEqualTo(10);
		this.clock.advance(Duration.ofHours(1));
		assertThat(lookUps(5000)).as("no more than were there at first").isEqualTo(1000);
	}

	@Test
	void aFloodOfAMillionKeysIsForgotten() {
		int lookedUp = 0;
		for (int i = 0; i < 1_000_000; i++) {
			if (this.keys.tryLookUp()) {
				this.keys.remember("key" + i);
				lookedUp++;
			}
			if (i % 1000 == 0) {
				this.clock.advance(Duration.ofMillis(100));
			}
		}
		assertThat(lookedUp).isLessThanOrEqualTo(2000);
		assertThat(this.keys.size()).isLessThanOrEqualTo(1100);
	}

	private int lookUps(int attempts) {
		int allowed = 0;
		for (int i = 0; i < attempts; i++) {
			if (this.keys.tryLookUp()) {
				allowed++;
			}
		}
		return allowed;
	}

}
