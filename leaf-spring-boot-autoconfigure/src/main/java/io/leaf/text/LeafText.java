// SPDX-License-Identifier: Apache-2.0

package io.leaf.text;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an ID that JSON, path variables or request parameters contain as text, in the
 * format of the given key.
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
 * The code of the application handles the ID as a number. A text that neither the format
 * nor a former format of the key can parse is rejected, even if it is a plain decimal
 * number. The format {@code {number}} parses plain decimal numbers.
 * <p>
 * The annotation is supported on {@code long} and {@link Long}, and on collections,
 * arrays and {@link java.util.Optional} of {@link Long}. In JSON, the annotation is also
 * supported on maps, and applies to the values of the map.
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface LeafText {

	/**
	 * The key that determines the format of the texts. If the key has no format, the
	 * texts are decimal numbers.
	 * @return the key
	 */
	String value();

}
