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

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.leaf.snowflake.SnowflakeLayout;
import io.leaf.snowflake.lease.file.StateFileException.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A few values in a file that survive a crash at any moment, and that are not mistaken
 * for those of another machine. For one thread at a time.
 * <p>
 * The file is never replaced, since its identity tells it from a copy. Instead it has two
 * slots, and each change is written to one and, once that is on disk, to the other. A
 * write that breaks off spoils one slot: the other still holds what was there before, or
 * does already hold what was to be written. In between two changes both hold the same, so
 * that damage to one of them loses nothing. The valid one with the higher sequence number
 * counts.
 * <p>
 * What was read may be in the memory of the system only: left there by a process that
 * died before it was on disk, or by a write that has failed. So it counts only once it
 * has been written again, to the slot it was read from first. With the bytes of a slot
 * being the same as before, no harm can come of that.
 * <p>
 * A new file starts with an empty slot, so that the first change finds one to fall back
 * upon. Where not even that one has been finished, nothing can have been saved.
 */
final class StateFile implements AutoCloseable {

	private static final Slot EMPTY = new Slot(0, Map.of());

	private static final String PURPOSE = "purpose";

	private static final String HOST = "host-name";

	private static final String ADDRESS = "address";

	private static final String FILE = "file";

	private static final String LAYOUT = "layout";

	private final Path path;

	private final String purpose;

	private final Machine machine;

	private final Storage.Opener opener;

	private @Nullable Storage storage;

	private String layout = "";

	/**
	 * The content, or {@code null} if there is no valid slot.
	 */
	private @Nullable Slot current = EMPTY;

	/**
	 * The slot that must not be touched before the other one holds something newer.
	 */
	private int currentIndex;

	/**
	 * Whether both slots are known to hold the content, on disk.
	 */
	private boolean settled;

	/**
	 * Creates a state file that is not open yet.
	 * @param path where it is
	 * @param purpose what it is for, such as {@code leaf.name=orders}
	 * @param machine where this process runs
	 * @param opener opens the file
	 */
	StateFile(Path path, String purpose, Machine machine, Storage.Opener opener) {
		this.path = path.toAbsolutePath();
		this.purpose = purpose;
		this.machine = machine;
		this.opener = opener;
	}

	boolean isOpen() {
		return this.storage != null;
	}

	/**
	 * Opens the file, unless it is open, for a process with this layout.
	 */
	void open(SnowflakeLayout newLayout) throws StateFileException {
		this.layout = newLayout.toString();
		if (this.storage != null) {
			return;
		}
		Storage opened = this.opener.open(this.path);
		this.storage = opened;
		try {
			settle(opened);
		}
		catch (IOException ex) {
			close();
			throw failure("read", ex);
		}
	}

	/**
	 * Reads the content.
	 * @return the values last saved, and where they were; empty if none are there
	 * @throws StateFileException if there is content that must not be used
	 */
	Map<String, String> load() throws StateFileException {
		Storage open = storage();
		if (!this.settled) {
			try {
				settle(open);
			}
			catch (IOException ex) {
				throw failure("read", ex);
			}
		}
		if (this.current == null) {
			throw damaged("neither of its two copies is whole and of format %s".formatted(Slot.FORMAT));
		}
		if (!this.current.values().isEmpty()) {
			checkOrigin(this.current.values(), open);
		}
		return this.current.values();
	}

	private void settle(Storage open) throws IOException {
		this.settled = false;
		byte[] content = open.read(2 * Slot.SIZE);
		Slot first = isUnfinished(content) ? EMPTY : Slot.decode(content, 0);
		Slot second = Slot.decode(content, Slot.SIZE);
		boolean useSecond = second != null && (first == null || second.sequence() > first.sequence());
		Slot found = useSecond ? second : first;
		int index = useSecond ? 1 : 0;
		if (found == null) {
			this.current = null;
		}
		else {
			byte[] slot = found.encode();
			write(open, index, slot);
			// not before: what was current until now is still the one that is on disk
			this.current = found;
			this.currentIndex = index;
			write(open, 1 - index, slot);
		}
		this.settled = true;
	}

	// each byte is as in a new file, or not there yet
	private static boolean isUnfinished(byte[] content) throws IOException {
		byte[] empty = EMPTY.encode();
		for (int i = 0; i < content.length; i++) {
			if (content[i] != 0 && content[i] != empty[i % Slot.SIZE]) {
				return false;
			}
		}
		return true;
	}

	private void checkOrigin(Map<String, String> recorded, Storage open) throws StateFileException {
		List<String> differences = new ArrayList<>();
		origin(open).forEach((name, here) -> {
			String there = recorded.getOrDefault(name, "");
			if (!there.equals(here)) {
				differences.add("%s is '%s', and '%s' is recorded".formatted(name, here, there));
			}
		});
		if (!differences.isEmpty()) {
			throw new StateFileException(Reason.COPIED,
					"The state file %s may be a copy: %s".formatted(this.path, String.join("; ", differences)), null);
		}
		String recordedLayout = recorded.getOrDefault(LAYOUT, "");
		if (!recordedLayout.equals(this.layout)) {
			throw new StateFileException(Reason.OTHER_LAYOUT,
					"The state file %s was written with the layout '%s', and leaf.snowflake.layout is '%s'"
						.formatted(this.path, recordedLayout, this.layout),
					null);
		}
	}

	private Map<String, String> origin(Storage open) {
		Map<String, String> origin = new LinkedHashMap<>();
		origin.put(PURPOSE, this.purpose);
		origin.put(HOST, this.machine.hostName());
		origin.put(ADDRESS, this.machine.address());
		origin.put(FILE, open.identity());
		return origin;
	}

	/**
	 * Returns the content without any regard to where it comes from, for messages.
	 */
	Map<String, String> unchecked() {
		return (this.current != null) ? this.current.values() : Map.of();
	}

	/**
	 * Replaces the content. It is on disk when the method returns, and the old one is
	 * not.
	 * @param values the values, none to leave nothing
	 * @throws StateFileException if that fails. The content may then be the old one or
	 * the new one
	 */
	void save(Map<String, String> values) throws StateFileException {
		Storage open = storage();
		Map<String, String> all = new LinkedHashMap<>();
		if (!values.isEmpty()) {
			all.putAll(origin(open));
			all.put(LAYOUT, this.layout);
			all.putAll(values);
		}
		Slot next = new Slot((this.current != null) ? this.current.sequence() + 1 : 1, all);
		try {
			byte[] slot = next.encode();
			this.settled = false;
			write(open, 1 - this.currentIndex, slot);
			this.current = next;
			this.currentIndex = 1 - this.currentIndex;
			write(open, 1 - this.currentIndex, slot);
			this.settled = true;
		}
		catch (IOException ex) {
			throw failure("written", ex);
		}
	}

	private static void write(Storage open, int index, byte[] slot) throws IOException {
		open.write((long) index * Slot.SIZE, slot);
	}

	private Storage storage() throws StateFileException {
		if (this.storage == null) {
			throw new StateFileException(Reason.FAILED, "The state file %s is not open".formatted(this.path), null);
		}
		return this.storage;
	}

	/**
	 * Reads a number.
	 * @throws StateFileException if there is no such number from 0 to the largest
	 */
	long number(Map<String, String> values, String name, long max) throws StateFileException {
		String value = values.getOrDefault(name, "");
		try {
			long number = Long.parseLong(value);
			if (number >= 0 && number <= max) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			throw damaged("%s is '%s'".formatted(name, value));
		}
		throw damaged("%s is '%s', not from 0 to %d".formatted(name, value, max));
	}

	/**
	 * Reads a text.
	 * @throws StateFileException if there is none, or an empty one
	 */
	String text(Map<String, String> values, String name) throws StateFileException {
		String value = values.getOrDefault(name, "");
		if (value.isEmpty()) {
			throw damaged("%s is missing".formatted(name));
		}
		return value;
	}

	private StateFileException damaged(String details) {
		return new StateFileException(Reason.DAMAGED, "The state file %s is damaged: %s".formatted(this.path, details),
				null);
	}

	private StateFileException failure(String what, IOException ex) {
		return (ex instanceof StateFileException known) ? known : new StateFileException(Reason.FAILED,
				"The state file %s could not be %s: %s".formatted(this.path, what, ex), ex);
	}

	/**
	 * Lets others use the file.
	 */
	@Override
	public void close() {
		if (this.storage != null) {
			this.storage.close();
			this.storage = null;
		}
	}

}
