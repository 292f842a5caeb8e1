// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.leaf.test.TestIdGenerator;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Annotation for test classes that makes a {@link TestIdGenerator} issue the IDs of the
 * application. Leaf's own generators are not created, so no tables, worker IDs or threads
 * are needed. In each test method, every key counts from 1 again, but skips the IDs that
 * were issued during startup. A key with a period issues the IDs of the period that
 * contains 1 January 2000.
 * <p>
 * Data access slices, such as {@code @DataJpaTest}, use a {@link TestIdGenerator} even
 * without this annotation. An {@link io.leaf.IdGenerator} bean defined by the application
 * is not replaced.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestIdGenerator {

	/**
	 * Whether each test method starts again with the IDs that follow those issued during
	 * startup. Set this to {@code false} if the rows of a test method are not rolled
	 * back, because the next test method would otherwise insert rows with the same IDs.
	 * @return whether to reset the generator before each test method
	 */
	boolean reset() default true;

}
