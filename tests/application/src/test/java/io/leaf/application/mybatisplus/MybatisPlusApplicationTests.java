// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.mybatisplus;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.leaf.IdGenerationException;
import io.leaf.LeafId;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mybatis.spring.mapper.MapperFactoryBean;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests of an application with MyBatis-Plus, whose table already has a row.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE, properties = MybatisPlusApplicationTests.CONFIGURATION)
class MybatisPlusApplicationTests {

	static final String CONFIGURATION = "spring.config.location=classpath:io/leaf/application/mybatisplus/";

	@Autowired
	private JdbcClient sql;

	@Test
	void insertsGetIdsAboveThoseInTheTable(@Autowired RefundMapper refunds) {
		Refund ada = new Refund("Ada");
		refunds.insert(ada);
		assertThat(ada.getId()).isEqualTo(42);
		refunds.insert(IntStream.range(0, 50).mapToObj((number) -> new Refund("batch")).toList());
		refunds.insertInCapitals(new Refund("Grace"));
		assertThat(ids("Ada")).containsExactly(42L);
		assertThat(ids("batch")).containsExactlyElementsOf(LongStream.rangeClosed(43, 92).boxed().toList());
		assertThat(ids("GRACE")).containsExactly(93L);
		assertThat(this.sql.sql("SELECT max_id FROM leaf_alloc WHERE biz_tag = 'refund'").query(Long.class).single())
			.isEqualTo(1042);
	}

	private List<Long> ids(String customer) {
		return this.sql.sql("SELECT id FROM refund WHERE customer = ? ORDER BY id")
			.param(customer)
			.query(Long.class)
			.list();
	}

	@ParameterizedTest
	@ValueSource(strings = { "auto", "input" })
	void anotherIdTypeIsRefusedAtStartup(String type) {
		assertThatException().isThrownBy(() -> run("--mybatis-plus.global-config.db-config.id-type=" + type))
			.havingRootCause()
			.isInstanceOf(IdGenerationException.class)
			.withMessageContaining("Refund.id has no effect: its IdType is " + type.toUpperCase(Locale.ROOT))
			.withMessageContaining("mybatis-plus.global-config.db-config.id-type=assign_id");
	}

	@Test
	void anEntityWithAnotherIdTypeIsRefusedAtStartup() {
		assertThatException().isThrownBy(() -> run("--spring.main.sources=" + ChargebackConfiguration.class.getName()))
			.havingRootCause()
			.isInstanceOf(IdGenerationException.class)
			.withMessageContaining("Chargeback.id has no effect: its IdType is AUTO")
			.withMessageContaining("@TableId(type = IdType.ASSIGN_ID)");
	}

	private static void run(String argument) {
		new SpringApplicationBuilder(MybatisPlusApplication.class)
			.run("--" + CONFIGURATION, "--spring.datasource.url=jdbc:h2:mem:", argument)
			.close();
	}

	/**
	 * Adds an entity that still uses the IDs of the database.
	 */
	static class ChargebackConfiguration {

		@Bean
		MapperFactoryBean<ChargebackMapper> chargebacks(SqlSessionFactory sessions) {
			MapperFactoryBean<ChargebackMapper> mapper = new MapperFactoryBean<>(ChargebackMapper.class);
			mapper.setSqlSessionFactory(sessions);
			return mapper;
		}

	}

	interface ChargebackMapper extends BaseMapper<Chargeback> {

	}

	static class Chargeback {

		@TableId(type = IdType.AUTO)
		@LeafId
		Long id;

	}

	@SpringBootApplication
	static class MybatisPlusApplication {

	}

}

// from docs/persistence.md
class Refund {

	@LeafId
	private Long id;

	private String customer;

	// end of docs/persistence.md

	Refund() {
	}

	Refund(String customer) {
		this.customer = customer;
	}

	Long getId() {
		return this.id;
	}

	void setId(Long id) {
		this.id = id;
	}

	String getCustomer() {
		return this.customer;
	}

	void setCustomer(String customer) {
		this.customer = customer;
	}

}

@Mapper
interface RefundMapper extends BaseMapper<Refund> {

	@Insert("INSERT INTO refund (id, customer) VALUES (#{id}, UPPER(#{customer}))")
	void insertInCapitals(Refund refund);

}
