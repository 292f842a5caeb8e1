// SPDX-License-Identifier: Apache-2.0

package io.leaf.autoconfigure;

import java.util.stream.Stream;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.util.ClassUtils;

/**
 * Auto-configurations of Spring Boot under the names that they have in version 4 or in
 * 3.5, depending on the classpath: the tests of the libraries are written once for both.
 */
public final class SpringBoot {

	private static final String[] DATA_SOURCE = {
			"org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
			"org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration" };

	private static final String[] DATA_SOURCE_SCRIPTS = {
			"org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration",
			"org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration" };

	private static final String[] JDBC_TEMPLATE = {
			"org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration",
			"org.springframework.boot.autoconfigure.jdbc.JdbcTemplateAutoConfiguration" };

	private static final String[] TRANSACTIONS = {
			"org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
			"org.springframework.boot.autoconfigure.jdbc.DataSourceTransactionManagerAutoConfiguration" };

	private static final String[] JPA = {
			"org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
			"org.springframework.boot.autoconfigure.orm.jpa.HibernateJpaAutoConfiguration" };

	private static final String[] TRANSACTION_TEMPLATE = {
			"org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
			"org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration" };

	private static final String[] DATA_JDBC = {
			"org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration",
			"org.springframework.boot.autoconfigure.data.jdbc.JdbcRepositoriesAutoConfiguration" };

	private static final String[] R2DBC = { "org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration",
			"org.springframework.boot.autoconfigure.r2dbc.R2dbcAutoConfiguration" };

	private static final String[] R2DBC_SCRIPTS = {
			"org.springframework.boot.r2dbc.autoconfigure.R2dbcInitializationAutoConfiguration",
			"org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration" };

	private static final String[] DATA_R2DBC = {
			"org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration",
			"org.springframework.boot.autoconfigure.data.r2dbc.R2dbcDataAutoConfiguration" };

	private static final String[] JACKSON = { "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
			"org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration" };

	private static final String[] MESSAGE_CONVERTERS = {
			"org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration",
			"org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration" };

	private static final String[] WEB_MVC = { "org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration",
			"org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration" };

	private static final String[] CODECS = {
			"org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration",
			"org.springframework.boot.autoconfigure.http.codec.CodecsAutoConfiguration" };

	private static final String[] WEB_FLUX = {
			"org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration",
			"org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration" };

	private SpringBoot() {
	}

	public static AutoConfigurations dataSource() {
		return of(DATA_SOURCE, DATA_SOURCE_SCRIPTS);
	}

	public static AutoConfigurations jpa() {
		return of(DATA_SOURCE, JPA, TRANSACTION_TEMPLATE);
	}

	public static AutoConfigurations springDataJdbc() {
		return of(DATA_SOURCE, DATA_SOURCE_SCRIPTS, JDBC_TEMPLATE, TRANSACTIONS, DATA_JDBC);
	}

	public static AutoConfigurations springDataR2dbc() {
		return of(R2DBC, R2DBC_SCRIPTS, DATA_R2DBC);
	}

	public static AutoConfigurations webMvc() {
		return of(JACKSON, MESSAGE_CONVERTERS, WEB_MVC);
	}

	public static AutoConfigurations webFlux() {
		return of(JACKSON, CODECS, WEB_FLUX);
	}

	private static AutoConfigurations of(String[]... names) {
		return AutoConfigurations.of(Stream.of(names)
			.map((candidates) -> Stream.of(candidates)
				.filter((name) -> ClassUtils.isPresent(name, null))
				.findFirst()
				.orElseThrow(() -> new IllegalStateException(
						"No class has one of the names " + String.join(", ", candidates))))
			.map((name) -> ClassUtils.resolveClassName(name, null))
			.toArray(Class<?>[]::new));
	}

}
