// SPDX-License-Identifier: Apache-2.0

package io.leaf.it;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Records where virtual threads waited without releasing their carrier thread: in a class
 * initializer or native code and, before JDK 24, in a monitor.
 */
final class PinnedThreads implements AutoCloseable {

	private static final String EVENT = "jdk.VirtualThreadPinned";

	private final Recording recording = new Recording();

	PinnedThreads() {
		this.recording.enable(EVENT).withThreshold(Duration.ZERO).withStackTrace();
		this.recording.start();
	}

	/**
	 * Ends the recording.
	 * @param file the file of the recording
	 * @return the events inside the library, including those in code that it had called
	 */
	List<RecordedEvent> insideTheLibrary(Path file) throws IOException {
		this.recording.stop();
		this.recording.dump(file);
		return RecordingFile.readAllEvents(file)
			.stream()
			.filter((event) -> event.getEventType().getName().equals(EVENT))
			.filter((event) -> event.getStackTrace() != null)
			.filter((event) -> event.getStackTrace().getFrames().stream().anyMatch(PinnedThreads::isLibrary))
			.toList();
	}

	private static boolean isLibrary(RecordedFrame frame) {
		String type = frame.getMethod().getType().getName();
		return type.startsWith("io.leaf.") && !type.startsWith("io.leaf.it.");
	}

	@Override
	public void close() {
		this.recording.close();
	}

}
