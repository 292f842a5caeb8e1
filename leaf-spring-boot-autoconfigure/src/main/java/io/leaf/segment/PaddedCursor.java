// SPDX-License-Identifier: Apache-2.0

package io.leaf.segment;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * A cursor that all threads advance. No other field shares its cache lines, so a thread
 * that advances the cursor does not slow down the threads that read fields of a subclass.
 */
abstract class PaddedCursor extends CursorField {

	// The fields of a superclass are placed before the fields of its subclasses, so the
	// cursor lies between two blocks of sixteen longs. Each block fills two cache lines
	// of 64 bytes, because some processors fetch cache lines in pairs.

	private static final AtomicLongFieldUpdater<CursorField> CURSOR = AtomicLongFieldUpdater
		.newUpdater(CursorField.class, "cursor");

	long b00, b01, b02, b03, b04, b05, b06, b07, b08, b09, b10, b11, b12, b13, b14, b15;

	PaddedCursor(long cursor) {
		this.cursor = cursor;
	}

	final long cursor() {
		return this.cursor;
	}

	final long getAndAdd(long count) {
		return CURSOR.getAndAdd(this, count);
	}

	final boolean compareAndSet(long expected, long cursor) {
		return CURSOR.compareAndSet(this, expected, cursor);
	}

	final long getAndSet(long cursor) {
		return CURSOR.getAndSet(this, cursor);
	}

}

abstract class BeforeCursor {

	long a00, a01, a02, a03, a04, a05, a06, a07, a08, a09, a10, a11, a12, a13, a14, a15;

}

abstract class CursorField extends BeforeCursor {

	volatile long cursor;

}
