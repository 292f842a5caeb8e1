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
 * are needed, and each test method gets the IDs 1, 2, 3, …; those of a key with a period
 * are the IDs of 1 January 2000.
 * <p>
 * Data access slices, such as {@code @DataJpaTest}, do not need this annotation. An
 * {@link io.leaf.IdGenerator} bean defined by the application is not replaced.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestIdGenerator {

	/**
	 * Whether each test method starts again with the IDs that were next when the
	 * application had started. Disable it if the rows of one test method are not rolled
	 * back: the next test method would insert rows with the same IDs.
	 * @return whether to reset the generator before each test method
	 */
	boolean reset() default true;

}
