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
 * Marks an attribute of an entity whose value the {@link IdGenerator} of the application
 * issues. The attribute can be the ID or any other attribute, such as an order number.
 * The supported libraries are JPA with Hibernate, Spring Data JDBC, Spring Data R2DBC,
 * MyBatis and MyBatis-Plus. Annotate the field or the getter of the attribute. An ID
 * keeps the library's own annotation, such as {@code @Id}:
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
 * The type of the attribute is {@link Long}, {@code long} or {@link String}. Other types
 * are refused. A {@code String} gets the ID as text in the format of the key (see
 * {@link IdGenerator#nextText(String)}). If a value is already set, it is kept. In a
 * {@code long}, zero means that no value is set. Attributes other than the ID get their
 * values when the entity is inserted, and updates do not change these values.
 * <p>
 * With Hibernate, an ID needs no {@code @GeneratedValue}. With Hibernate 7,
 * {@code @LeafId} can also be used on the attributes of a composite ID. Because the
 * application may assign an ID itself, Hibernate cannot conclude from an ID that the row
 * exists. If an instance that is not in the session has an ID, Hibernate therefore
 * selects the row when the instance is merged (as Spring Data's {@code save} does), or
 * when an entity that is flushed refers to the instance. A {@code @Version} attribute of
 * a wrapper type avoids this query. In an inheritance hierarchy, all entities share the
 * ID of the root entity and the key of that ID.
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
	 * Returns the key whose IDs the attribute gets. If no key is given, the key of an ID
	 * is the name of the entity's table, without schema and quotes. For an attribute that
	 * is not the ID, a key is required. With plain MyBatis, a key is always required,
	 * because plain MyBatis, unlike MyBatis-Plus, does not know the table.
	 * @return the key, or an empty string for the table's name
	 */
	String value() default "";

}
