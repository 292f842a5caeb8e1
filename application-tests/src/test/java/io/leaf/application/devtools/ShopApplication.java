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

package io.leaf.application.devtools;

import java.util.Arrays;

import io.leaf.IdGenerator;
import jakarta.annotation.PreDestroy;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/**
 * An application that its developer changes while it runs.
 */
@SpringBootApplication
public class ShopApplication {

	public static void main(String[] args) {
		SpringApplication.run(ShopApplication.class, args);
	}

	// from README.md
	@Bean
	ApplicationRunner five(IdGenerator ids) {
		return (args) -> System.out.println(ids.nextId("order") + " " + Arrays.toString(ids.nextIds("order", 4)));
	}
	// end of README.md

	@Bean
	ApplicationRunner payments(IdGenerator ids) {
		return (args) -> System.out.println("payments " + Arrays.toString(ids.nextIds("payment", 5)));
	}

	/**
	 * Needs an ID at the end, too.
	 */
	@Component
	static class LastOrder {

		private final IdGenerator ids;

		LastOrder(IdGenerator ids) {
			this.ids = ids;
		}

		@PreDestroy
		void order() {
			System.out.println(this.ids.nextId("order") + " at the end");
			System.out.println("payments " + Arrays.toString(this.ids.nextIds("payment", 1)));
		}

	}

}
