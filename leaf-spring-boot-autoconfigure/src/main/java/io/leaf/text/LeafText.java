// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Exchanges an ID as text, in the format of its key: in JSON, and as a path variable or
 * request parameter.
 *
 * <pre class="code">
 * record OrderView(&#64;LeafText("order") long id, &#64;LeafText("item") List&lt;Long&gt; items) {
 * }
 *
 * &#64;GetMapping("/orders/{id}")
 * OrderView order(&#64;PathVariable &#64;LeafText("order") long id) {
 * }
 * </pre>
 *
 * The application keeps working with the number. A text that the format does not parse is
 * refused. So is a plain decimal number, unless {@code {number}} is the format or a
 * former format of the key.
 * <p>
 * The annotation is supported on {@code long} and {@link Long}, and on collections,
 * arrays and {@link java.util.Optional} of {@link Long}. In JSON it is also supported on
 * maps, and applies to their values.
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface LeafText {

	/**
	 * The key whose format the texts have. The IDs of a key without a format are decimal
	 * numbers.
	 * @return the key
	 */
	String value();

}
