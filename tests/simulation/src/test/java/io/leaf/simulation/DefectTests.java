// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.function.BiFunction;

import javassist.ClassClassPath;
import javassist.ClassPool;
import javassist.Loader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Puts defects into the library, one at a time, and has the simulation find them.
 */
class DefectTests {

	/**
	 * Within how many schedules each defect must be found: one in a hundred of those that
	 * {@code .ci/run} plays without any.
	 */
	private static final long WITHIN = 2000;

	@ParameterizedTest
	@EnumSource
	void isFound(Defect defect) throws Throwable {
		String failure = hunt(defect);
		assertThat(failure).as(defect.name()).isNotEmpty();
		System.out.printf("%-34s %s%n", defect, failure.lines().findFirst().orElseThrow());
	}

	private static String hunt(Defect defect) throws Throwable {
		ClassPool classes = new ClassPool();
		classes.appendClassPath(new ClassClassPath(DefectTests.class));
		defect.putInto(classes);
		Loader loader = new Loader(DefectTests.class.getClassLoader(), classes);
		for (String shared : new String[] { "org.", "jakarta.", "io.micrometer." }) {
			loader.delegateLoadingOf(shared);
		}
		@SuppressWarnings("unchecked")
		BiFunction<String, Long, Object> hunt = (BiFunction<String, Long, Object>) loader
			.loadClass(IsolatedSimulation.class.getName())
			.getConstructor()
			.newInstance();
		return (String) hunt.apply(defect.kind().name(), WITHIN);
	}

}
