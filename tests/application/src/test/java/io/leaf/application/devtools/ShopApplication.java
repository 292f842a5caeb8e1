// SPDX-License-Identifier: Apache-2.0

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
 * An application whose files the test changes while it runs.
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
	 * Also draws IDs during shutdown.
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
