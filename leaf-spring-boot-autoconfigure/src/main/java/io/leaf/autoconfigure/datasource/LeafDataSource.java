// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure.datasource;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Qualifies the {@code DataSource} bean whose database holds Leaf's tables. Needed if
 * there are several {@code DataSource} beans, unless the primary one belongs to this
 * database or {@code leaf.segment.datasource.url} is set.
 * <p>
 * If the bean is a HikariCP pool, or a wrapper that is known to leave the connections of
 * such a pool unchanged, Leaf derives a pool of its own from the HikariCP pool. Any other
 * {@code DataSource} is used directly, including a HikariCP pool whose class overrides
 * {@code getConnection()}. If such a {@code DataSource} is a pool, its maximum size must
 * be larger than the number of concurrent transactions. A warning at startup says so,
 * unless the {@code DataSource} is an embedded database of Spring.
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface LeafDataSource {

}
