// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A number that all threads write, alone in its cache lines: whoever reads a field of a
 * subclass must not wait because another thread has drawn.
 */
abstract class PaddedCursor extends CursorField {

	// The fields of a superclass lie before those of its subclasses. Sixteen longs are
	// two
	// cache lines: processors fetch lines in pairs.

	private static final VarHandle CURSOR;

	static {
		// with constants, as a native image finds the field by them
		try {
			CURSOR = MethodHandles.lookup().findVarHandle(CursorField.class, "cursor", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;

	PaddedCursor(long cursor) {
		this.cursor = cursor;
	}

	final long cursor() {
		return this.cursor;
	}

	final long getAndAdd(long count) {
		return (long) CURSOR.getAndAdd(this, count);
	}

	final boolean compareAndSet(long expected, long cursor) {
		return CURSOR.compareAndSet(this, expected, cursor);
	}

	final long getAndSet(long cursor) {
		return (long) CURSOR.getAndSet(this, cursor);
	}

}

abstract class BeforeCursor {

	long a00, a01, a02, a03, a04, a05, a06, a07, a08, a09, a10, a11, a12, a13, a14, a15;

}

abstract class CursorField extends BeforeCursor {

	volatile long cursor;

}
