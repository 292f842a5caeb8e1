// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.misconfigured.shop;

import java.util.Arrays;

import io.leaf.IdGenerator;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * The application that the tests start with mistakes in its configuration.
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
