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
