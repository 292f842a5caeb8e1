// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.startup;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;

/**
 * A small application with a database. It knows nothing of the library: whether it has
 * it, the class path decides.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
public class StartUpApplication {

	/**
	 * Starts, tells how long that took, and ends.
	 * @param args Spring Boot's properties
	 */
	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(StartUpApplication.class);
		application.addListeners((ApplicationReadyEvent event) -> ChildJvm.tellTimes("ready"));
		application.run(args).close();
	}

}
