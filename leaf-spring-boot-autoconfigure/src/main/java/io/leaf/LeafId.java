// SPDX-License-Identifier: Apache-2.0

package io.leaf;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.leaf.hibernate.LeafAttributeGenerator;
import io.leaf.hibernate.LeafIdentifierGenerator;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Lets the {@link IdGenerator} of the application issue the IDs of an entity, and values
 * of other attributes such as an order number, with any of these libraries: JPA with
 * Hibernate, Spring Data JDBC, Spring Data R2DBC, MyBatis and MyBatis-Plus. Annotate the
 * field or the getter of the ID, in addition to the library's own {@code @Id}, or that of
 * any other attribute:
 *
 * <pre class="code">
 * &#64;Entity
 * class Order {
 *
 *     &#64;Id
 *     &#64;LeafId
 *     private Long id;
 *
 *     &#64;LeafId("order-number")
 *     private String number;
 *
 * }
 * </pre>
 *
 * The attribute is a {@link Long}, a {@code long}, or a {@link String}, which gets the ID
 * as text in the format of the key, see {@link IdGenerator#nextText(String)}; other types
 * are refused. A value that is already set is kept; in a {@code long}, zero means that no
 * value is set. Attributes other than the ID get their value when the entity is inserted,
 * and updates do not change it.
 * <p>
 * With Hibernate, an ID needs no {@code @GeneratedValue}; with Hibernate 7, the
 * annotation can also be used on one part of a composite ID. For Hibernate, an ID that is
 * set does not prove that the row exists, because the application may have assigned the
 * ID. If Hibernate has to know whether the row exists, it selects the row. It does so for
 * an instance whose ID is set and that is not in the session: when the instance is merged
 * (as Spring Data's {@code save} does), or when an entity that is flushed refers to the
 * instance. A {@code @Version} attribute of a wrapper type avoids this query. In an
 * inheritance hierarchy, all entities share the root's ID and its key.
 *
 * @see LeafIdentifierGenerator
 * @see LeafAttributeGenerator
 */
@IdGeneratorType(LeafIdentifierGenerator.class)
@ValueGenerationType(generatedBy = LeafAttributeGenerator.class)
@Target({ ElementType.FIELD, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface LeafId {

	/**
	 * Returns the key whose IDs the attribute gets. Without a value, the key of an ID is
	 * the name of the entity's table, without schema and quotes. An attribute that is not
	 * the ID requires a value. So does every attribute with plain MyBatis, which, unlike
	 * MyBatis-Plus, does not know the table.
	 * @return the key, or an empty string for the table's name
	 */
	String value() default "";

}
