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

package io.leaf.application.misconfigured.shop;

import java.util.Arrays;

import io.leaf.IdGenerator;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * The application whose configuration has the mistakes.
 */
@SpringBootApplication
public class ShopApplication {

	// from README.md
	@Bean
	ApplicationRunner five(IdGenerator ids) {
		return (args) -> System.out.println(ids.nextId("order") + " " + Arrays.toString(ids.nextIds("order", 4)));
	}
	// end of README.md

}
