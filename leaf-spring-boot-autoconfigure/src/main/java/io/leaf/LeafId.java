// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.leaf.hibernate.LeafIdentifierGenerator;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Lets the {@link IdGenerator} of the application issue the IDs of an entity, whichever
 * library saves it: JPA with Hibernate, Spring Data JDBC, Spring Data R2DBC, MyBatis or
 * MyBatis-Plus. It stands beside the library's own {@code @Id}, on the field or the
 * getter:
 *
 * <pre class="code">
 * &#64;Entity
 * class Order {
 *
 *     &#64;Id
 *     &#64;LeafId("order")
 *     private Long id;
 *
 * }
 * </pre>
 *
 * The ID is a {@link Long}, a {@code long}, or a {@link String} that holds the number in
 * decimal; other types are refused. An ID set by hand is kept, where in a {@code long}
 * zero means that none is set.
 * <p>
 * With Hibernate it needs no {@code @GeneratedValue}, and may be one part of a composite
 * ID; that takes Hibernate 7. Hibernate treats the ID as one that may have been assigned:
 * it no longer takes a set ID as proof that the row exists, and where it must know it
 * looks. Such a look-up, of one row, happens when an instance with a set ID that the
 * session does not hold is merged (as Spring Data's {@code save} does) or referred to by
 * an entity that is flushed; a {@code @Version} attribute of a wrapper type answers the
 * question without one. In an inheritance hierarchy all entities share the root's ID, and
 * so its key.
 *
 * @see LeafIdentifierGenerator
 */
@IdGeneratorType(LeafIdentifierGenerator.class)
@Target({ ElementType.FIELD, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface LeafId {

	/**
	 * Returns the key whose IDs the entity gets. Without one, the key is the name of the
	 * entity's table, without schema and quotes. MyBatis without MyBatis-Plus knows no
	 * tables, and needs one.
	 * @return the key, or an empty string for the table's name
	 */
	String value() default "";

}
