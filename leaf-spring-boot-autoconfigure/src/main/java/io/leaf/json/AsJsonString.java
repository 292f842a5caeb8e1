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
 * Put this annotation on a field, a getter or a record component:
 *
 * <pre class="code">
 * record OrderView(&#64;AsJsonString long id, &#64;AsJsonString List&lt;Long&gt; items) {
 * }
 * </pre>
 *
 * The annotation works with Jackson 3 and Jackson 2, in any mapper, without registration.
 * It applies to {@code long}, {@link Long} and {@link java.util.Optional}, to the
 * elements of collections and of {@code Long[]}, and to the values of maps, even if these
 * are nested. The elements of {@code long[]} and an {@link java.util.OptionalLong} are
 * still written as numbers, and {@code null} as {@code null}. When JSON is read, numbers
 * are accepted. Strings are also accepted, unless Jackson's
 * {@code MapperFeature.ALLOW_COERCION_OF_SCALARS} is disabled. With Jackson 2,
 * {@code Optional} and {@code OptionalLong} need the {@code Jdk8Module}.
 */
@JacksonAnnotationsInside
// Jackson also applies the shape to the elements of collections and the values of maps.
// Jackson 2 and 3 share the annotation @JsonFormat.
@JsonFormat(shape = JsonFormat.Shape.STRING)
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface AsJsonString {

}
