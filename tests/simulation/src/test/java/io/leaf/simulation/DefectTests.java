// SPDX-License-Identifier: Apache-2.0

package io.leaf.simulation;

import java.util.function.BiFunction;

import javassist.ClassClassPath;
import javassist.ClassPool;
import javassist.Loader;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Puts defects into the library, one at a time, and checks that the simulation finds each
 * of them. Runs with {@code -Dleaf.test.full=true}.
 */
@EnabledIfSystemProperty(named = "leaf.test.full", matches = "true", disabledReason = "takes minutes")
class DefectTests {

	/**
	 * The number of schedules within which the simulation must find each defect.
	 * {@code .ci/run} plays 16 times as many schedules of {@link WorldKind#LEASES}, and
	 * of {@link WorldKind#SEGMENTS}, without a defect.
	 */
	private static final long MAX_SCHEDULES = 2000;

	@ParameterizedTest
	@EnumSource
	void simulationFindsDefect(Defect defect) throws Throwable {
		String failure = findFailure(defect);
		assertThat(failure).as(defect.name()).isNotEmpty();
		System.out.printf("%-34s %s%n", defect, failure.lines().findFirst().orElseThrow());
	}

	private static String findFailure(Defect defect) throws Throwable {
		ClassPool classes = new ClassPool();
		classes.appendClassPath(new ClassClassPath(DefectTests.class));
		defect.putInto(classes);
		Loader loader = new Loader(DefectTests.class.getClassLoader(), classes);
		for (String shared : new String[] { "org.", "jakarta.", "io.micrometer." }) {
			loader.delegateLoadingOf(shared);
		}
		@SuppressWarnings("unchecked")
		BiFunction<String, Long, Object> simulation = (BiFunction<String, Long, Object>) loader
			.loadClass(IsolatedSimulation.class.getName())
			.getConstructor()
			.newInstance();
		return (String) simulation.apply(defect.kind().name(), MAX_SCHEDULES);
	}

}
