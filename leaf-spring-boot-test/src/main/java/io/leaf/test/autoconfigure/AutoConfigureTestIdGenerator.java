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
 * On a test class: has a {@link TestIdGenerator} issue the IDs of the application, in
 * place of Leaf's own generators, which are not created. Without Leaf's tables, worker
 * IDs and threads, each test method gets the IDs 1, 2, 3, ….
 * <p>
 * Slices of data access, such as {@code @DataJpaTest}, do so without this annotation. An
 * {@link io.leaf.IdGenerator} bean of the application's own is left alone.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureTestIdGenerator {

	/**
	 * Whether each test method starts anew, with the IDs that come next once the
	 * application has started. Turn it off where the rows of one test method are still
	 * there in the next one, which would insert them with the same IDs.
	 * @return whether to reset the generator before each test method
	 */
	boolean reset() default true;

}
