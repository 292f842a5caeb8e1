// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.util.Map;

import io.leaf.server.console.Viewer.Connection;
import org.junit.jupiter.api.Test;

import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link Viewer}.
 */
class ViewerTests {

	private final Connection connection = mock();

	private final Viewer viewer = new Viewer(this.connection);

	@Test
	void theConnectionEndsAfterTheEventThatIsBeingSent() {
		Runnable sending = sending();
		this.viewer.end();
		then(this.connection).should(never()).end();
		sending.run();
		then(this.connection).should().end();
	}

	@Test
	void theConnectionEndsIfTheEventIsNotSent() {
		sending();
		this.viewer.end();
		this.viewer.notSent();
		then(this.connection).should().end();
	}

	private Runnable sending() {
		return this.viewer.sending(Reports.of(Map.of()), "event", () -> {
		});
	}

}
