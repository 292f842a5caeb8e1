// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.time.Duration;

import org.awaitility.Awaitility;

/**
 * The heap usage after garbage collections.
 */
public final class Heap {

	private Heap() {
	}

	/**
	 * Returns how many bytes are in use once a further garbage collection frees nothing
	 * more.
	 */
	public static long used() {
		long used = collectAndMeasure();
		long next = collectAndMeasure();
		while (next < used) {
			used = next;
			next = collectAndMeasure();
		}
		return next;
	}

	/**
	 * Waits until no more bytes are in use than before, except for a tolerance. Freeing
	 * the garbage of other tests in this JVM may take several collections.
	 * @param before the bytes in use before
	 * @param tolerance how many more bytes are acceptable
	 */
	public static void awaitBackTo(long before, long tolerance) {
		Awaitility.await("the heap is back to %,d bytes, or up to %,d more".formatted(before, tolerance))
			.atMost(Duration.ofSeconds(30))
			.until(() -> used() - before <= tolerance);
	}

	private static long collectAndMeasure() {
		System.gc();
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

}
