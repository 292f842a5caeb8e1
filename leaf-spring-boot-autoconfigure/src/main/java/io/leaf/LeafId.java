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
 * Marks an entity attribute that gets its value from the {@link IdGenerator} of the
 * application. The attribute can be the ID or any other attribute, such as an order
 * number. The supported libraries are JPA with Hibernate, Spring Data JDBC, Spring Data
 * R2DBC, MyBatis and MyBatis-Plus. Annotate the field or the getter of the attribute. If
 * the attribute is the ID, it also needs the annotation that the library in use requires
 * for IDs, such as {@code @Id}:
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
 * values only when the entity is inserted, not when it is updated.
 * <p>
 * With Hibernate, an ID needs no {@code @GeneratedValue}. With Hibernate 7,
 * {@code @LeafId} can also be used on the attributes of a composite ID. Because the
 * application may assign an ID itself, Hibernate cannot conclude from an ID that the row
 * exists. Therefore, if an instance with an ID is not in the session, Hibernate selects
 * the row in two cases: when the instance is merged, for example by Spring Data's
 * {@code save}, and when an entity that refers to the instance is flushed. A
 * {@code @Version} attribute of a wrapper type avoids this query if its value is
 * {@code null}. In an inheritance hierarchy, all entities use the ID attribute of the
 * root entity, so their IDs are issued from the same key.
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
	 * Returns the key whose IDs the attribute gets. If no key is given for the ID
	 * attribute, the key is the name of the entity's table, without schema and quotes.
	 * For any other attribute, a key is required. With plain MyBatis, a key is always
	 * required, because plain MyBatis, unlike MyBatis-Plus, does not know the table.
	 * @return the key; an empty string means the name of the table
	 */
	String value() default "";

}
