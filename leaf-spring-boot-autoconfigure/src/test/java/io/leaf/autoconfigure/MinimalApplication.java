// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import io.leaf.IdGenerator;
import io.leaf.autoconfigure.segment.LeafSegmentAutoConfiguration;
import org.h2.jdbcx.JdbcDataSource;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application that {@link MissingJarsTests} starts while most jars are missing. It
 * returns the first ID of a key, or {@link #NO_GENERATOR}.
 */
class MinimalApplication implements UnaryOperator<String> {

	static final String NO_GENERATOR = "no generator";

	private static final String URL = "jdbc:h2:mem:minimal;DB_CLOSE_DELAY=-1;INIT=RUNSCRIPT FROM 'classpath:io/leaf/segment/jdbc/schema-h2.sql'\\;"
			+ "MERGE INTO leaf_alloc (biz_tag, max_id, step) KEY (biz_tag) SELECT 'order', 500, 10 WHERE NOT EXISTS (SELECT 1 FROM leaf_alloc)";

	@Override
	public String apply(String key) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Application.class)) {
			IdGenerator generator = context.getBeanProvider(IdGenerator.class).getIfAvailable();
			return (generator != null) ? String.valueOf(generator.nextId(key)) : NO_GENERATOR;
		}
	}

	/**
	 * Has no {@code DataSource} bean, so the first connection is Leaf's own.
	 */
	static class WithUrl implements UnaryOperator<String> {

		@Override
		public String apply(String key) {
			System.setProperty("leaf.segment.datasource.url", URL);
			try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
					AutoConfigured.class)) {
				return String.valueOf(context.getBean(IdGenerator.class).nextId(key));
			}
			finally {
				System.clearProperty("leaf.segment.datasource.url");
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(LeafSegmentAutoConfiguration.class)
	static class AutoConfigured {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		@Bean
		DataSource dataSource() {
			JdbcDataSource dataSource = new JdbcDataSource();
			dataSource.setURL(URL);
			return dataSource;
		}

	}

}
