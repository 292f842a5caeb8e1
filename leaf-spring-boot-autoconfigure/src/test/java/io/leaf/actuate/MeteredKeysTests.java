// SPDX-License-Identifier: Apache-2.0

package io.leaf.actuate;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MeteredKeysTests {

	@Test
	void keysBeyondTheBoundShareATag() {
		MeteredKeys keys = new MeteredKeys(2);
		assertThat(keys.tagOf("a")).isEqualTo("a");
		assertThat(keys.tagOf("b")).isEqualTo("b");
		assertThat(keys.tagOf("c")).isEqualTo("_others");
		assertThat(keys.tagOf("a")).as("again").isEqualTo("a");
		assertThat(keys.tagOf("c")).as("again").isEqualTo("_others");
	}

	@Test
	void aKeyNamedLikeTheSharedTagUsesThatTag() {
		MeteredKeys keys = new MeteredKeys(1);
		assertThat(keys.tagOf("_others")).isEqualTo("_others");
		assertThat(keys.tagOf("a")).isEqualTo("a");
	}

	@Test
	void allKeysShareATagIfTheBoundIsZero() {
		assertThat(new MeteredKeys(0).tagOf("a")).isEqualTo("_others");
	}

}
