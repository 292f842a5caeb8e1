// SPDX-License-Identifier: Apache-2.0

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
