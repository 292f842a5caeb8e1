// SPDX-License-Identifier: Apache-2.0

package io.leaf.application.misconfigured;

import java.util.UUID;

import javax.sql.DataSource;

import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.annotation.TableId;
import com.baomidou.mybatisplus.annotation.TableName;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import io.leaf.IdSequence;
import io.leaf.LeafId;
import io.leaf.autoconfigure.datasource.LeafDataSource;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.session.SqlSessionFactory;
import org.mybatis.spring.mapper.MapperFactoryBean;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Beans and entities with mistakes, and those that other mistakes need.
 */
final class Mistakes {

	private Mistakes() {
	}

	private static DataSource database(String name) {
		return DataSourceBuilder.create().url("jdbc:h2:mem:" + name).username("sa").build();
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources {

		@Bean
		DataSource orders() {
			return database("orders");
		}

		@Bean
		DataSource reports() {
			return database("reports");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LeafDataSourceBean {

		@Bean
		@LeafDataSource
		DataSource numbers() {
			return database("numbers");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AnotherLeafDataSourceBean {

		@Bean
		@LeafDataSource
		DataSource orders() {
			return database("orders");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NeedsASequence {

		@Bean
		ApplicationRunner payment(IdSequence ids) {
			return (args) -> System.out.println(ids.nextId());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class IdIsAUuid {

		@Bean
		PersistenceManagedTypes entities() {
			return PersistenceManagedTypes.of(Order.class.getName());
		}

		@Entity
		@Table(name = "orders")
		static class Order {

			@Id
			@LeafId("order")
			private UUID id;

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AttributeWithoutKey {

		@Bean
		PersistenceManagedTypes entities() {
			return PersistenceManagedTypes.of(Order.class.getName());
		}

		@Entity
		@Table(name = "orders")
		static class Order {

			@Id
			private Long id;

			@LeafId
			private Long number;

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SavesAnOrder {

		@Bean
		PersistenceManagedTypes entities() {
			return PersistenceManagedTypes.of(Order.class.getName());
		}

		@Bean
		ApplicationRunner save(TransactionTemplate transaction, EntityManager entities) {
			return (args) -> transaction.executeWithoutResult((status) -> entities.persist(new Order()));
		}

		@Entity
		@Table(name = "orders")
		static class Order {

			@Id
			@LeafId
			private Long id;

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherPool {

		@Bean
		DataSource orders() {
			return new DriverManagerDataSource("jdbc:h2:mem:orders", "sa", "");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MybatisWithoutKey {

		@Bean
		MapperFactoryBean<Payments> payments(SqlSessionFactory factory) {
			return mapper(Payments.class, factory);
		}

		@Bean
		ApplicationRunner save(Payments payments) {
			return (args) -> payments.insert(new Payment());
		}

		interface Payments {

			@Insert("INSERT INTO payment (id, customer) VALUES (#{id}, #{customer})")
			void insert(Payment payment);

		}

		static class Payment {

			@LeafId
			private Long id;

			private String customer;

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MybatisPlusAuto {

		@Bean
		MapperFactoryBean<Refunds> refunds(SqlSessionFactory factory) {
			return mapper(Refunds.class, factory);
		}

		interface Refunds extends BaseMapper<Refund> {

		}

		@TableName("refund")
		static class Refund {

			@LeafId
			@TableId(type = IdType.AUTO)
			private Long id;

		}

	}

	private static <T> MapperFactoryBean<T> mapper(Class<T> type, SqlSessionFactory factory) {
		MapperFactoryBean<T> mapper = new MapperFactoryBean<>(type);
		mapper.setSqlSessionFactory(factory);
		return mapper;
	}

}
