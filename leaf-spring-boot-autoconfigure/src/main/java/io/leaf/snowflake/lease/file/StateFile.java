// SPDX-License-Identifier: Apache-2.0

package io.leaf.snowflake.lease.file;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.zip.CRC32C;

import io.leaf.snowflake.SnowflakeLayout;
import org.jspecify.annotations.Nullable;

/**
 * A file that holds a few values. The values survive a crash at any moment. Values that
 * were written on another machine, in another file or for another store are detected and
 * refused. This class is not thread-safe.
 * <p>
 * The file consists of readable lines of text, with a checksum in the first line, and is
 * replaced as a whole. If the process that wrote the file died before the content was on
 * disk, or if a write failed, the content that is read may exist only in the page cache
 * of the operating system. Therefore, content that was read is written again before it is
 * used.
 */
final class StateFile implements AutoCloseable {

	private static final String FORMAT = "2";

	private static final int MAX_SIZE = 1 << 16;

	/** Less than the 255 bytes that file systems allow for a name. */
	private static final int MAX_NAME_LENGTH = 200;

	private static final String BOOT = "boot-id";

	private static final String STORE = "store";

	private static final String LAYOUT = "layout";

	private final Path stateDir;

	private final Path path;

	private final String purpose;

	private final Machine machine;

	private final boolean outlivesBoot;

	private final Function<StateFileException, RuntimeException> explain;

	private final BiFunction<Path, Path, Storage> opener;

	private @Nullable Storage storage;

	private String layout = "";

	private String store = "";

	// the content, or null if the content on disk is unknown
	private @Nullable Map<String, String> values;

	// why the content cannot be decoded, or null if it can be decoded
	private @Nullable String damage;

	/**
	 * Creates a state file that is not open yet.
	 * @param stateDir the directory of all state files
	 * @param path the path of the file, relative to that directory
	 * @param purpose a text, recorded in the file, that says what the file is used for,
	 * such as {@code leaf.name=orders}
	 * @param machine the machine of this process
	 * @param outlivesBoot whether the content may be used after a reboot of the machine
	 * @param explain converts a failure into the exception to throw. The message of this
	 * exception says what the failure means for a file with this purpose, and what to do
	 * @param opener opens the file for exclusive use, whether it exists or not
	 */
	StateFile(Path stateDir, Path path, String purpose, Machine machine, boolean outlivesBoot,
			Function<StateFileException, RuntimeException> explain, BiFunction<Path, Path, Storage> opener) {
		this.stateDir = stateDir.toAbsolutePath();
		this.path = this.stateDir.resolve(path);
		this.purpose = purpose;
		this.machine = machine;
		this.outlivesBoot = outlivesBoot;
		this.explain = explain;
		this.opener = opener;
	}

	/**
	 * Converts a name to a file name, so that different names have different file names.
	 * Each byte of the name that is not an ASCII letter, a digit or one of {@code ._-} is
	 * replaced by {@code %} and two hexadecimal digits. A dot at the end of the name is
	 * replaced in the same way. If the result is too long, a hash of the name replaces
	 * the end of the result.
	 * @param name any text
	 * @return 1 to {@value #MAX_NAME_LENGTH} characters, neither {@code .} nor {@code ..}
	 */
	static String fileName(String name) {
		if (name.isEmpty()) {
			// no other name has this result
			return "%";
		}
		String fileName = URLEncoder.encode(name, StandardCharsets.UTF_8)
			.replace("+", "%20")
			.replace("*", "%2A")
			// the name may be '.' or '..', and Windows removes a dot at the end
			.replaceFirst("\\.$", "%2E");
		if (fileName.length() <= MAX_NAME_LENGTH) {
			return fileName;
		}
		// an encoded name never contains "%-", so the result differs from every file name
		// that was not cut
		String end = "%-" + UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
		return fileName.substring(0, MAX_NAME_LENGTH - end.length()) + end;
	}

	Path path() {
		return this.path;
	}

	boolean isOpen() {
		return this.storage != null;
	}

	/**
	 * Sets the layout of this process and the identity of its store, and opens the file
	 * unless it is open already.
	 * @param newLayout the layout
	 * @param newStore the identity of the store in which this process claims its leases,
	 * or an empty text if the file itself is the store
	 * @throws RuntimeException if the file cannot be opened, or cannot be read and
	 * written again
	 */
	void open(SnowflakeLayout newLayout, String newStore) {
		this.layout = newLayout.toString();
		this.store = newStore;
		if (this.storage != null) {
			return;
		}
		try {
			this.storage = this.opener.apply(this.stateDir, this.path);
			settle();
		}
		catch (StateFileException ex) {
			throw this.explain.apply(ex);
		}
		finally {
			if (this.values == null) {
				close();
			}
		}
	}

	/**
	 * Reads the content.
	 * @return the values last saved, with their origin; empty if there are none
	 * @throws RuntimeException if the content cannot be read and written again, or must
	 * not be used
	 */
	Map<String, String> load() {
		Map<String, String> found = (this.values != null) ? this.values : settle();
		if (this.damage != null) {
			throw damaged(this.damage);
		}
		if (!found.isEmpty()) {
			checkOrigin(found);
		}
		return found;
	}

	private Map<String, String> settle() {
		try {
			Storage open = storage();
			byte[] content = open.read(MAX_SIZE);
			if (content == null || content.length < MAX_SIZE) {
				open.replace((content != null) ? content : encode(Map.of()));
			}
			Map<String, String> found = new LinkedHashMap<>();
			this.damage = (content != null) ? decode(content, found) : null;
			this.values = (this.damage != null) ? Map.of() : found;
			return this.values;
		}
		catch (IOException | StateFileException ex) {
			throw failure("read and written again", ex);
		}
	}

	private void checkOrigin(Map<String, String> recorded) {
		Map<String, String> here = origin();
		boolean sameBoot = !this.machine.bootId().isEmpty() && this.machine.bootId().equals(recorded.get(BOOT));
		if (this.outlivesBoot && !sameBoot) {
			// device numbers can change when the machine boots
			here.keySet().removeAll(List.of(BOOT, LockedFile.DEVICE));
		}
		List<String> differences = new ArrayList<>();
		here.forEach((name, value) -> {
			String there = recorded.getOrDefault(name, "");
			if (!there.equals(value)) {
				differences.add("%s is '%s', but '%s' is recorded".formatted(name, value, there));
			}
		});
		String recordedLayout = recorded.getOrDefault(LAYOUT, "");
		if (differences.size() == 1 && differences.get(0).startsWith(STORE + " is ")) {
			throw refusal(Reason.OTHER_STORE, "belongs to another store: " + differences.get(0));
		}
		if (!differences.isEmpty()) {
			throw refusal(Reason.COPIED, "may be a copy: " + String.join("; ", differences));
		}
		if (!recordedLayout.equals(this.layout)) {
			throw refusal(Reason.OTHER_LAYOUT,
					"was written with the layout '%s', but the layout of this process is '%s'".formatted(recordedLayout,
							this.layout));
		}
	}

	private Map<String, String> origin() {
		Map<String, String> origin = new LinkedHashMap<>();
		origin.put("purpose", this.purpose);
		origin.put("label", this.machine.label());
		origin.put("host-name", this.machine.hostName());
		origin.put(BOOT, this.machine.bootId());
		try {
			origin.putAll(new TreeMap<>(storage().identity()));
		}
		catch (IOException | StateFileException ex) {
			throw failure("read", ex);
		}
		origin.put(STORE, this.store);
		return origin;
	}

	/**
	 * Returns the content without checking its origin, for use in messages only. Returns
	 * an empty map if the content is not known.
	 */
	Map<String, String> unchecked() {
		return (this.values != null) ? this.values : Map.of();
	}

	/**
	 * Replaces the content. When the method returns, the new content is on disk in place
	 * of the old content.
	 * @param content the values, or an empty map to leave the file without a lease
	 * @throws RuntimeException if the write fails; the file then holds either the old
	 * content or the new content
	 */
	void save(Map<String, String> content) {
		Map<String, String> all = new LinkedHashMap<>();
		if (!content.isEmpty()) {
			all.putAll(origin());
			all.put(LAYOUT, this.layout);
			all.putAll(content);
		}
		try {
			this.values = null;
			storage().replace(encode(all));
			this.values = all;
			this.damage = null;
		}
		catch (IOException | StateFileException ex) {
			throw failure("written", ex);
		}
	}

	private static byte[] encode(Map<String, String> values) {
		StringBuilder text = new StringBuilder("format=").append(FORMAT).append('\n');
		values.forEach((name, value) -> text.append(name)
			.append('=')
			.append(value.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D"))
			.append('\n'));
		return (checksum(text.toString()) + text).getBytes(StandardCharsets.UTF_8);
	}

	private static String checksum(String text) {
		CRC32C checksum = new CRC32C();
		checksum.update(text.getBytes(StandardCharsets.UTF_8));
		return "crc32c=%08x\n".formatted(checksum.getValue());
	}

	// adds the content to the values; returns why the content cannot be decoded, or null
	// if it can be decoded
	private static @Nullable String decode(byte[] content, Map<String, String> values) {
		String text = new String(content, StandardCharsets.UTF_8);
		for (String line : text.split("\n")) {
			int separator = line.indexOf('=');
			if (separator >= 0) {
				String value = line.substring(separator + 1);
				values.put(line.substring(0, separator),
						value.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%"));
			}
		}
		values.remove("crc32c");
		String format = values.getOrDefault("format", "");
		if (!values.remove("format", FORMAT)) {
			return "its format is '%s', but this version of Leaf reads '%s'"
				.formatted(format.substring(0, Math.min(format.length(), 20)), FORMAT);
		}
		String rest = text.substring(text.indexOf('\n') + 1);
		return Arrays.equals(content, (checksum(rest) + rest).getBytes(StandardCharsets.UTF_8)) ? null
				: "its checksum is wrong";
	}

	private Storage storage() {
		if (this.storage == null) {
			throw new StateFileException(Reason.FAILED, "The state file %s is not open".formatted(this.path), null);
		}
		return this.storage;
	}

	long number(Map<String, String> content, String name, long max) {
		String value = content.getOrDefault(name, "");
		if (!value.matches("[0-9]{1,18}") || Long.parseLong(value) > max) {
			throw damaged("%s is '%s', which is not a number from 0 to %d".formatted(name, value, max));
		}
		return Long.parseLong(value);
	}

	String text(Map<String, String> content, String name) {
		String value = content.getOrDefault(name, "");
		if (value.isEmpty()) {
			throw damaged("%s is missing".formatted(name));
		}
		return value;
	}

	private RuntimeException damaged(String details) {
		return refusal(Reason.DAMAGED, "is damaged: " + details);
	}

	private RuntimeException refusal(Reason reason, String details) {
		return this.explain
			.apply(new StateFileException(reason, "The state file %s %s".formatted(this.path, details), null));
	}

	private RuntimeException failure(String what, Exception ex) {
		return this.explain
			.apply((ex instanceof StateFileException known) ? known : new StateFileException(Reason.FAILED,
					"The state file %s could not be %s: %s".formatted(this.path, what, ex), ex));
	}

	@Override
	public void close() {
		if (this.storage != null) {
			this.storage.close();
			this.storage = null;
			this.values = null;
		}
	}

	/**
	 * A file that is open for exclusive use.
	 */
	interface Storage {

		/**
		 * Returns properties of the lock file next to the file. No other lock file on the
		 * machine has the same properties, not even a copy of the lock file.
		 */
		Map<String, String> identity() throws IOException;

		/**
		 * Returns the content, cut to the given number of bytes, or {@code null} if there
		 * is no file.
		 */
		byte @Nullable [] read(int max) throws IOException;

		/**
		 * Replaces the content in one step. When the method returns, the new content is
		 * on disk; if it throws, the disk holds either the old content or the new one.
		 */
		void replace(byte[] content) throws IOException;

		void close();

	}

	/**
	 * The failure of a {@link StateFile}. The message names the file and what is wrong,
	 * without a full stop at the end. The message contains no advice, because what to do
	 * can depend on the purpose of the file.
	 */
	static final class StateFileException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final Reason reason;

		StateFileException(Reason reason, String message, @Nullable Throwable cause) {
			super(message, cause);
			this.reason = reason;
		}

		Reason reason() {
			return this.reason;
		}

	}

	enum Reason {

		/** The file or its directory cannot be created, opened or locked. */
		UNUSABLE("Set leaf.snowflake.state-dir to a directory on a local disk in which this process may write"),

		/**
		 * The file or its directory belongs to another user than the process, or other
		 * users have access to it.
		 */
		EXPOSED("Make this path, and the files in it if it is a folder, accessible to the user of this process only (chown; chmod 700 for folders, chmod 600 for files). If leaf.snowflake.state-dir is a volume that belongs to another user or is world-writable, set the property to a new folder in that volume. Leaf creates the new folder"),

		/** Another process, or another application in this process, holds the lock. */
		IN_USE(""),

		/** The content is damaged or has another format. */
		DAMAGED(""),

		/**
		 * The content was written on another machine, under another label, next to
		 * another lock file or for another purpose; or it was written before the last
		 * boot of this machine and must not be used after a boot.
		 */
		COPIED(""),

		/** The content belongs to another store. */
		OTHER_STORE(
				"A lease is valid only in the store in which it was claimed. Start the process while the store of worker IDs can be reached: the process then writes a new file"),

		/** The content was written with another layout. */
		OTHER_LAYOUT(
				"IDs of two layouts can collide. Set leaf.snowflake.layout.* to the recorded layout, or choose another leaf.name for IDs with another purpose"),

		/** The lock file may have been deleted or replaced while in use. */
		REPLACED(""),

		/** Reading or writing failed. Another attempt may succeed. */
		FAILED("Make sure that the disk of leaf.snowflake.state-dir works and has free space");

		/** The advice for the user; empty if it depends on the purpose of the file. */
		private final String advice;

		Reason(String advice) {
			this.advice = advice;
		}

		String advice() {
			return this.advice;
		}

	}

}
