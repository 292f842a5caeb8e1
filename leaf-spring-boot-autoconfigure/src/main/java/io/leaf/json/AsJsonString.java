// SPDX-License-Identifier: Apache-2.0

package io.leaf.json;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonFormat;

/**
 * Writes an ID as a JSON string, because JavaScript rounds numbers above 2<sup>53</sup>.
 * It stands on a field, a getter or a record's component:
 *
 * <pre class="code">
 * record OrderView(&#64;AsJsonString long id, &#64;AsJsonString List&lt;Long&gt; items) {
 * }
 * </pre>
 *
 * It works with Jackson 3 and with Jackson 2, in any mapper, with nothing to register: on
 * {@code long} and {@link Long}, on the elements of collections and of {@code Long[]} and
 * the values of maps, nested ones too, and on {@link java.util.Optional}. The elements of
 * {@code long[]} and an {@link java.util.OptionalLong} stay numbers. {@code null} stays
 * {@code null}. Strings and numbers can be read.
 */
@JacksonAnnotationsInside
// Jackson hands the shape on to elements and values. Both generations share this
// annotation
@JsonFormat(shape = JsonFormat.Shape.STRING)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface AsJsonString {

}
