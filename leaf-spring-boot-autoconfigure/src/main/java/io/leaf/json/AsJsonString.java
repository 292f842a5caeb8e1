/*
 * Copyright 2026 the Leaf project authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

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
