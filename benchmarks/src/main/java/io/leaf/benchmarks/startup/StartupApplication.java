// SPDX-License-Identifier: Apache-2.0

package io.leaf.benchmarks.startup;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;

/**
 * A small application with a database. It does not refer to the library, so it starts
 * with or without the library on its classpath.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
public class StartupApplication {

	/**
	 * Starts the application, reports the duration of startup, and stops the application.
	 * @param args the properties of Spring Boot
	 */
	public static void main(String[] args) {
		SpringApplication application = new SpringApplication(StartupApplication.class);
		application.addListeners((ApplicationReadyEvent event) -> ChildJvm.reportTimes("ready"));
		application.run(args).close();
	}

}
