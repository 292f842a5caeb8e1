// SPDX-License-Identifier: Apache-2.0

package io.leaf.test.autoconfigure;

import java.util.List;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.LeafIdGeneratorAutoConfiguration;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import io.leaf.test.TestIdGenerator;
import io.leaf.text.IdFormats;
import org.junit.jupiter.api.Test;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

class TestIdGeneratorAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(TestIdGeneratorAutoConfiguration.class, LeafSegmentAutoConfiguration.class,
						LeafIdGeneratorAutoConfiguration.class, DataSourceAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:test-id-generator");

	@Test
	void replacesLeafsGenerators() {
		this.runner.run((context) -> assertThat(context).hasSingleBean(IdGenerator.class)
			.getBean("leafIdGenerator")
			.isInstanceOf(TestIdGenerator.class));
	}

	@Test
	void usesTheFormatsOfTheApplication() {
		this.runner.withPropertyValues("leaf.keys.order.format=ORD-{number:4}").run((context) -> {
			assertThat(context.getBean(IdGenerator.class).nextText("order")).isEqualTo("ORD-0001");
			assertThat(context.getBean(IdFormats.class).of("order").parse("ORD-0001")).isOne();
		});
	}

	@Test
	void keysWithPeriodsGetTheIdsOfOneDay() {
		this.runner
			.withPropertyValues("leaf.keys.order.period=day", "leaf.keys.order.period-zone=Asia/Shanghai",
					"leaf.keys.order.digits=6", "leaf.keys.order.format=SO-{period}-{n:6}")
			.run((context) -> {
				IdGenerator ids = context.getBean(IdGenerator.class);
				assertThat(ids.nextText("order")).isEqualTo("SO-20000101-000001");
				assertThat(ids.nextId("order")).isEqualTo(20000101000002L);
				assertThat(ids.nextId("customer")).isOne();
			});
	}

	@Test
	void usersIdGeneratorTakesPrecedence() {
		this.runner.withBean("own", TestIdGenerator.class, () -> new TestIdGenerator(1000))
			.run((context) -> assertThat(context.getBean(IdGenerator.class).nextId("order")).isEqualTo(1000));
	}

	@Test
	void worksWithoutTestcontainers() {
		this.runner
			.withClassLoader(new FilteredClassLoader("org.testcontainers", "org.springframework.boot.testcontainers"))
			.run((context) -> assertThat(context).hasSingleBean(TestIdGenerator.class));
	}

	@Test
	void idsDrawnDuringStartupAreNotIssuedAgain() {
		SpringApplication application = new SpringApplication(Seeding.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		try (ConfigurableApplicationContext context = application.run()) {
			TestIdGenerator ids = context.getBean(TestIdGenerator.class);
			assertThat(ids.issued("order")).containsExactly(1, 2, 3);
			for (int i : List.of(1, 2)) {
				ids.reset();
				assertThat(ids.nextId("order")).as("attempt " + i).isEqualTo(4);
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(TestIdGeneratorAutoConfiguration.class)
	static class Seeding {

		@Bean
		ApplicationRunner rows(IdGenerator ids) {
			return (args) -> ids.nextIds("order", 2);
		}

		@Bean
		LateRow lateRow(IdGenerator ids) {
			return new LateRow(ids);
		}

	}

	record LateRow(IdGenerator ids) {

		@EventListener(ApplicationReadyEvent.class)
		void insert() {
			this.ids.nextId("order");
		}

	}

}
