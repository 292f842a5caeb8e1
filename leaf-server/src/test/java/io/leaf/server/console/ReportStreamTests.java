// SPDX-License-Identifier: Apache-2.0

package io.leaf.server.console;

import java.io.IOException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import io.leaf.actuate.LeafEndpoint.Report;
import io.leaf.server.console.ReportStream.ViewerRefusedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link ReportStream}. A second passes when {@link #second()} is called.
 */
class ReportStreamTests {

	private final ScheduledExecutorService scheduler = mock();

	private final ScheduledFuture<?> schedule = mock();

	private final Senders senders = new Senders();

	private final ReportStream stream = new ReportStream(this::report, () -> Reports.NO_CLIENTS, this.scheduler,
			this.senders, Clock.fixed(Reports.TIME, ZoneOffset.UTC));

	private int reports;

	private boolean broken;

	@BeforeEach
	void start() {
		given(this.scheduler.scheduleWithFixedDelay(any(), anyLong(), anyLong(), any()))
			.willAnswer((invocation) -> this.schedule);
		this.stream.start();
	}

	private Report report() {
		if (this.broken) {
			throw new IllegalStateException("This is a test");
		}
		this.reports++;
		return Reports.of(Map.of("busy", Reports.key(this.reports), "idle", Reports.key(0)));
	}

	private Browser open() {
		Browser browser = new Browser();
		this.stream.join(browser.viewer);
		return browser;
	}

	private void second() {
		ArgumentCaptor<Runnable> task = ArgumentCaptor.captor();
		then(this.scheduler).should().scheduleWithFixedDelay(task.capture(), eq(0L), eq(1L), eq(TimeUnit.SECONDS));
		task.getValue().run();
	}

	@Test
	void noReportsAreCreatedWithoutViewers() {
		then(this.scheduler).should(never()).scheduleWithFixedDelay(any(), anyLong(), anyLong(), any());
		Browser first = open();
		Browser second = open();
		this.stream.leave(first.viewer);
		then(this.schedule).should(never()).cancel(false);
		this.stream.leave(second.viewer);
		then(this.schedule).should().cancel(false);
		open();
		then(this.scheduler).should(times(2)).scheduleWithFixedDelay(any(), anyLong(), anyLong(), any());
	}

	@Test
	void theWholeReportIsSentFirstAndThenTheChanges() {
		Browser early = open();
		second();
		Browser late = open();
		second();
		assertThat(early.events).hasSize(2);
		assertThat(early.events.get(0)).contains("\"whole\":true", "\"busy\"", "\"idle\"");
		assertThat(early.events.get(1)).contains("\"whole\":false", "\"busy\"").doesNotContain("\"idle\"");
		assertThat(late.events).singleElement().asString().contains("\"whole\":true", "\"busy\"", "\"idle\"");
		assertThat(this.reports).as("one report for all viewers").isEqualTo(2);
	}

	@Test
	void noEventsAreQueuedForASlowViewerAndOtherViewersDoNotWait() {
		Browser slow = open();
		Browser fast = open();
		this.senders.hold = 1;
		second();
		second();
		second();
		assertThat(fast.events).hasSize(3);
		assertThat(this.senders.waiting).hasSize(1);
		this.senders.release();
		second();
		assertThat(slow.events).hasSize(2);
		assertThat(slow.events.get(1)).as("all changes since then").contains("\"whole\":false", "\"issued\":4");
	}

	@Test
	void aViewerThatHasDisconnectedIsRemoved() {
		Browser gone = open();
		gone.failure = new IOException("Broken pipe");
		Browser connected = open();
		second();
		gone.failure = null;
		second();
		assertThat(gone.events).isEmpty();
		assertThat(connected.events).hasSize(2);
	}

	@Test
	void aViewerWhoseConnectionHasEndedIsRemoved() {
		Browser ended = open();
		ended.ended = true;
		second();
		then(this.schedule).should().cancel(false);
	}

	@Test
	void aViewerIsServedLaterIfNoThreadIsFree() {
		Browser browser = open();
		this.senders.full = true;
		second();
		this.senders.full = false;
		second();
		assertThat(browser.events).singleElement().asString().contains("\"whole\":true");
	}

	@Test
	void reportsContinueAfterAFailedReport() {
		Browser browser = open();
		this.broken = true;
		second();
		this.broken = false;
		second();
		assertThat(browser.events).hasSize(1);
	}

	@Test
	void theNumberOfViewersIsLimited() {
		List<Browser> browsers = new ArrayList<>();
		for (int i = 0; i < ReportStream.MAX_VIEWERS; i++) {
			browsers.add(open());
		}
		assertThatExceptionOfType(ViewerRefusedException.class).isThrownBy(this::open)
			.withMessageContaining("50 browsers");
		this.stream.leave(browsers.get(0).viewer);
		open();
	}

	@Test
	void viewersAreDisconnectedWhenTheServerStops() {
		Browser slow = open();
		Browser idle = open();
		this.senders.hold = 1;
		second();
		this.stream.stop();
		assertThat(idle.ended).isTrue();
		assertThat(slow.ended).as("a connection that is being written to cannot be ended").isFalse();
		this.senders.release();
		assertThat(slow.ended).isTrue();
		assertThatExceptionOfType(ViewerRefusedException.class).isThrownBy(this::open)
			.withMessage("The server is stopping");
	}

	/**
	 * The browser's end of a connection.
	 */
	private static final class Browser implements Viewer.Connection {

		private final Viewer viewer = new Viewer(this);

		private final List<String> events = new ArrayList<>();

		private IOException failure;

		private boolean ended;

		@Override
		public void send(String event) throws IOException {
			if (this.ended) {
				throw new IllegalStateException("The connection has ended");
			}
			if (this.failure != null) {
				throw this.failure;
			}
			this.events.add(event);
		}

		@Override
		public void end() {
			this.ended = true;
		}

	}

	/**
	 * Runs tasks immediately, unless a test makes it hold or reject them.
	 */
	private static final class Senders extends ThreadPoolExecutor {

		private final Queue<Runnable> waiting = new ArrayDeque<>();

		private int hold;

		private boolean full;

		private Senders() {
			super(0, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>());
		}

		@Override
		public void execute(Runnable task) {
			if (this.full) {
				throw new RejectedExecutionException("full");
			}
			if (this.hold > 0) {
				this.hold--;
				this.waiting.add(task);
			}
			else {
				task.run();
			}
		}

		private void release() {
			this.waiting.remove().run();
		}

	}

}
