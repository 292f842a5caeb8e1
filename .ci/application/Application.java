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

import io.leaf.IdGenerator;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Issues an ID on the version of Spring Boot that its argument names.
 */
@EnableAutoConfiguration
public class Application {

	public static void main(String[] args) {
		String version = SpringBootVersion.getVersion();
		if (!args[0].equals(version)) {
			throw new IllegalStateException("This is Spring Boot " + version + ", and not " + args[0]);
		}
		try (ConfigurableApplicationContext context = SpringApplication.run(Application.class,
				"--spring.datasource.url=jdbc:h2:mem:application", "--leaf.segment.auto-create.enabled=true")) {
			long id = context.getBean(IdGenerator.class).nextId("order");
			System.out.println("Spring Boot " + version + ": order " + id);
		}
	}

}
